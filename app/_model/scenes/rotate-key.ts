import { z } from 'zod';
import { bracketed } from '../outcome.ts';
import type { Scene } from '../scene.ts';
import { callsOf } from '../turn.ts';

const rotated = z.object({ fingerprint: z.string() });

/** "Rotate the API key": a call that needs a recent sign-in. */
export const rotateKeyScene: Scene = (turn) => {
  if (!/\brotate\b.*\bkey\b/i.test(turn.request)) return undefined;
  const outcome = callsOf(turn, 'rotate_key').at(-1)?.outcome;
  if (!outcome) return { calls: [{ toolName: 'rotate_key', input: {} }] };
  switch (outcome.state) {
    case 'completed': {
      const { fingerprint } = rotated.safeParse(outcome.value).data ?? {};
      return { text: fingerprint ? `The API key was replaced. The new one is ${fingerprint}.` : 'Done.' };
    }
    case 'denied':
      return { text: `The API key was not replaced: the call was denied${bracketed(outcome.reason)}.` };
    case 'failed':
      return { text: `The API key was not replaced: ${outcome.reason}.` };
    case 'unknown':
      return { text: `It is unknown whether the API key was replaced${bracketed(outcome.reason)}.` };
    default:
      return outcome satisfies never;
  }
};
