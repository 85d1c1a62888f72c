import { z } from 'zod';
import type { Outcome } from '../outcome.ts';
import { bracketed } from '../outcome.ts';
import type { Scene } from '../scene.ts';
import { callsOf } from '../turn.ts';

const position = z.object({
  latitude: z.number(),
  longitude: z.number(),
  accuracy: z.number().optional(),
});

function sentence(outcome: Outcome): string {
  switch (outcome.state) {
    case 'completed': {
      const found = position.safeParse(outcome.value).data;
      if (!found) return 'Your location came in a form I cannot read.';
      const within = found.accuracy === undefined ? '' : `, within ${Math.round(found.accuracy)} m`;
      return `You are at latitude ${found.latitude} and longitude ${found.longitude}${within}.`;
    }
    case 'denied':
      return `Your location was not shared${bracketed(outcome.reason)}.`;
    case 'failed':
      return `Your location could not be read (${outcome.reason}).`;
    case 'unknown':
      return `It is unknown whether your location was shared${bracketed(outcome.reason)}.`;
    default:
      return outcome satisfies never;
  }
}

/** "Where am I?": gated, and executed by the client. */
export const locationScene: Scene = (turn) => {
  if (!/\bwhere\s+am\s+i\b|\bmy\s+(?:current\s+)?location\b/i.test(turn.request)) return undefined;
  const ended = callsOf(turn, 'get_location').at(-1);
  return ended ? { text: sentence(ended.outcome) } : { calls: [{ toolName: 'get_location', input: {} }] };
};
