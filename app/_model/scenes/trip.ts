import { z } from 'zod';
import { bracketed } from '../outcome.ts';
import type { Scene } from '../scene.ts';
import { callsOf } from '../turn.ts';

const stay = z.object({ from: z.string(), nights: z.number() });

/** "Plan my trip": a question that a person answers by filling in a form. */
export const tripScene: Scene = (turn) => {
  if (!/\bplan\b.*\btrip\b/i.test(turn.request)) return undefined;
  const outcome = callsOf(turn, 'ask_for_dates').at(-1)?.outcome;
  const question = 'When does your trip begin, and for how many nights?';
  if (!outcome) return { calls: [{ toolName: 'ask_for_dates', input: { question } }] };
  switch (outcome.state) {
    case 'completed': {
      const dates = stay.safeParse(outcome.value).data;
      if (!dates) return { text: 'Your dates came in a form I cannot read.' };
      return {
        text: `Your trip begins on ${dates.from} and lasts ${dates.nights} night${dates.nights === 1 ? '' : 's'}.`,
      };
    }
    case 'denied':
      return { text: `Your trip was not planned: you gave no dates${bracketed(outcome.reason)}.` };
    case 'failed':
      return { text: `Your trip was not planned: ${outcome.reason}.` };
    case 'unknown':
      return { text: `Your trip was not planned: your dates are unknown${bracketed(outcome.reason)}.` };
    default:
      return outcome satisfies never;
  }
};
