import type { MessageId } from '../../protocol/index.ts';
import { calls, type Turn } from './turn.ts';

/** The transports whose requests are answered with the rest of the turn. */
const readers: ReadonlySet<string> = new Set(['sse', 'bidi']);

/**
 * The message of a turn, if a page may not have its end: the turn was cancelled, or its last question was not answered by
 * a request that has the rest as its response.
 *
 * @param turn before the next one begins. One that waits is cancelled by it
 * @source H8, T16
 */
export function unreadMessage(turn: Turn): MessageId | undefined {
  const isUnread =
    turn.phase === 'suspended' ||
    turn.isCancelled ||
    calls(turn).some(
      ({ kept, withdrawn, answered }) =>
        !kept &&
        ((withdrawn && withdrawn.reason !== 'tool-changed') || (answered && !readers.has(answered.via))),
    );
  return isUnread ? turn.messageId : undefined;
}
