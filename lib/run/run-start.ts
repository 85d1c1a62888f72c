import type { Journal } from '../log/journal.ts';
import { type EventBody, type Principal, personOf } from '../protocol/index.ts';

export function runStart(
  journal: Pick<Journal, 'turn'>,
  principal: Principal,
): Extract<EventBody, { type: 'run-started' }> {
  const { messageId, release } = journal.turn;
  if (messageId === undefined) throw new Error('There is no turn to continue.');
  return { type: 'run-started', messageId, release, by: personOf(principal) };
}
