import type { FlowEvent, Person } from '../../../lib/protocol/index.ts';

/** The rejected asker of a turn's newest question: the person who let its run continue. */
export function askerOfTheRun(events: readonly FlowEvent[]): Person {
  const start = events.findLast((event) => event.type === 'run-started');
  if (start?.type !== 'run-started') throw new Error('Nothing runs.');
  return start.by;
}
