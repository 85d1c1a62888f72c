import type { Journal } from '../../../log/journal.ts';
import type { Call } from '../../../log/turn/turn.ts';
import type { ChatEventBody, EventOf } from '../../../protocol/index.ts';
import { appendChatEvent, type ChatWriter } from '../../../run/chat-event.ts';

/** A vote as it will be recorded. */
export type VoteBody = Extract<ChatEventBody, { type: 'approval-voted' }>;

/** What an answer adds that settles nothing: a new vote, or one that the same person has given before. */
export type Voted =
  | { readonly call: Call; readonly body: VoteBody; readonly given?: undefined }
  | { readonly call: Call; readonly body?: undefined; readonly given: EventOf<'approval-voted'> };

/**
 * Records a vote. No run begins: the question stays open.
 *
 * @returns where the vote is in the log; `undefined` if the chat has changed meanwhile, and nothing was written
 * @source ADR 0047
 */
export async function recordVote(
  writer: ChatWriter,
  { head }: Pick<Journal, 'head'>,
  { call, body, given }: Voted,
): Promise<number | undefined> {
  if (given) return given.seq;
  return (await appendChatEvent(writer, head, call, body)) ? head.seq + 1 : undefined;
}
