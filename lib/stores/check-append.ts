import type { Append } from '../log/store-port.ts';
import { CountersignError } from '../protocol/index.ts';

/**
 * Refuses a batch that no log could hold, before the database is asked. Every adapter calls it first, so a
 * mistake of the caller is an error everywhere, and `conflict` only ever means that somebody else was faster.
 *
 * @returns when the batch happened, as `atOf` tells
 * @throws CountersignError `internal`: no events; a `seq` that does not follow; a head, question or grant of another
 *   chat, or a head that does not stand on the last event
 */
export function checkAppend(batch: Append): number {
  const { chatId, after, events, head, questions, grants = [] } = batch;
  const refuse = (problem: string) =>
    new CountersignError(
      'internal',
      `The batch for chat ${chatId} after ${after} was not written: ${problem}.`,
      {
        chatId,
      },
    );

  const last = events.at(-1);
  if (!last) throw refuse('it has no events');
  for (const [index, event] of events.entries()) {
    const due = after + index + 1;
    if (event.seq !== due) throw refuse(`event ${index} has seq ${event.seq} where ${due} is due`);
  }
  if (head.id !== chatId) throw refuse(`its head is of chat ${head.id}`);
  if (head.seq !== last.seq)
    throw refuse(`its head stands on seq ${head.seq}, its last event is ${last.seq}`);
  const stranger = questions.find((question) => question.chatId !== chatId);
  if (stranger) throw refuse(`question ${stranger.id} is of chat ${stranger.chatId}`);
  const foreign = grants.find(({ chatId: of }) => of !== undefined && of !== chatId);
  if (foreign) throw refuse(`grant ${foreign.id} is for chat ${foreign.chatId}`);
  return atOf(batch);
}

/** When a batch happened (epoch milliseconds; by default its last event's `at`): the time that leases are held against. */
export function atOf({ events, now }: Append): number {
  return now ?? events.at(-1)?.at ?? 0;
}
