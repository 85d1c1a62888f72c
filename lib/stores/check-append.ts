import type { Append } from '../log/store/index.ts';
import { CountersignError } from '../protocol/index.ts';
import { atOf } from './batch.ts';

/**
 * Refuses an invalid batch before it reaches the database. Every adapter calls this first. So a mistake of the caller
 * is an error on every store, and `conflict` always means that another writer was faster.
 *
 * @returns when the batch happened, as `atOf` computes it
 * @throws CountersignError `internal`: no events; a `seq` that does not follow; a head or question of another
 * chat; a head that is not at the last event; or a notice of another event
 */
export function checkAppend(batch: Append): number {
  const { chatId, after, events, head, questions, notices = [] } = batch;
  const refuse = (problem: string) =>
    new CountersignError(
      'internal',
      `The batch for chat ${chatId} after ${after} was not written: ${problem}.`,
      { chatId },
    );

  const last = events.at(-1);
  if (!last) throw refuse('it has no events');
  for (const [index, event] of events.entries()) {
    const due = after + index + 1;
    if (event.seq !== due) throw refuse(`event ${index} has seq ${event.seq}, expected ${due}`);
  }
  if (head.id !== chatId) throw refuse(`its head is of chat ${head.id}`);
  if (head.seq !== last.seq) throw refuse(`its head is at seq ${head.seq}, its last event is ${last.seq}`);
  const stranger = questions.find((question) => question.chatId !== chatId);
  if (stranger) throw refuse(`question ${stranger.id} is of chat ${stranger.chatId}`);
  const unknown = notices.find((seq) => seq <= after || seq > last.seq);
  if (unknown !== undefined) throw refuse(`its notice ${unknown} is not one of its events`);
  return atOf(batch);
}
