import { z } from 'zod';
import { bracketed } from '../outcome.ts';
import type { Scene } from '../scene.ts';
import { callsOf } from '../turn.ts';

const release = z.object({ times: z.number() });

/** "Release version 2.1": a call that two people must approve. */
export const releaseScene: Scene = (turn) => {
  const version = /\brelease\s+(?:version\s+)?v?(\d+(?:\.\d+){0,2})\b/i.exec(turn.request)?.[1];
  if (version === undefined) return undefined;
  const outcome = callsOf(turn, 'release_version').at(-1)?.outcome;
  if (!outcome) return { calls: [{ toolName: 'release_version', input: { version } }] };
  switch (outcome.state) {
    case 'completed': {
      const { times = 1 } = release.safeParse(outcome.value).data ?? {};
      return { text: `Version ${version} was released${times === 1 ? '' : ` ${times} times so far`}.` };
    }
    case 'denied':
      return {
        text: `Version ${version} was not released: the call was denied${bracketed(outcome.reason)}.`,
      };
    case 'failed':
      return { text: `Version ${version} was not released: ${outcome.reason}.` };
    case 'unknown':
      return { text: `It is unknown whether version ${version} was released${bracketed(outcome.reason)}.` };
    default:
      return outcome satisfies never;
  }
};
