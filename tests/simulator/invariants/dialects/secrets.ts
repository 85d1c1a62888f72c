import { type Invariant, tally } from '../invariant.ts';
import { settledReadings } from './settled.ts';
import type { TurnFacts } from './turn-facts.ts';

/** No frame of a dialect contains an output that its tool keeps secret. */
export const dialectsHideSecrets: Invariant = {
  name: 'no dialect shows a secret',
  check(history) {
    const { verify, result } = tally();
    const secret: ReadonlySet<string> = new Set(history.profile.dialects?.secret);
    for (const asks of ['follow', 'fresh'] as const) {
      for (const { reading, facts, what } of settledReadings(history, asks)) {
        const isOpen = (toolName: string) => !secret.has(toolName.split('/').at(-1) ?? '');
        const called = [...facts.called.values(), ...keptCalls(facts)];
        // A frame does not always name its call, so only turns in which all calls are secret are examined.
        if (called.length === 0 || called.some(({ toolName }) => isOpen(toolName))) continue;
        const leak = reading.frames.find(({ data }) => /did\\*"?:\s*\d/.test(JSON.stringify(data)));
        verify(leak && `${what} shows ${JSON.stringify(leak.data)}`);
      }
    }
    return result();
  },
};

/** Calls of earlier turns that ran. The message of this turn shows them, too. */
function keptCalls({ events }: TurnFacts) {
  return events
    .flatMap((event) => (event.type === 'run-started' ? (event.kept?.events ?? []) : []))
    .filter((event) => event.type === 'tool-requested');
}
