import { advanceHead } from '../log/chat-head.ts';
import { eventTime } from '../log/event-time.ts';
import type { FlowClock } from '../log/flow-clock.ts';
import type { Auditor } from '../log/seal/auditor.ts';
import type { Append, AppendResult, ChatHead } from '../log/store-port.ts';
import { callWith } from '../log/turn/fold-turn.ts';
import { questionOf } from '../log/turn/question.ts';
import type { Call } from '../log/turn/turn.ts';
import type { ChatEvent, ChatEventBody } from '../protocol/index.ts';

/** What writes events of a chat between its runs. */
export type ChatWriter = {
  readonly clock: FlowClock;
  readonly auditor?: Auditor;
  append(batch: Omit<Append, 'id' | 'owner'>): Promise<AppendResult>;
};

/**
 * Appends one event that belongs to the chat and to no run. It is sealed like any other event of its call, and the
 * call's question takes a new place in the feed of changes, so that pages and inboxes learn of it.
 *
 * @param head the head that the event follows. Nothing is appended while a run is active
 * @param call the event's call, folded from the log up to `head`
 * @returns false when nothing was written: the chat has moved on, the event's claim is taken, or a run has begun
 */
export async function appendChatEvent(
  writer: ChatWriter,
  head: ChatHead,
  call: Call,
  body: ChatEventBody,
): Promise<boolean> {
  const { auditor, clock } = writer;
  if (head.status === 'active') return false;
  const now = await clock.sure();
  const plain: ChatEvent = { ...body, seq: head.seq + 1, at: eventTime(head.updatedAt, now) };
  const event: ChatEvent = auditor?.sealed(head.id, head.auditHead, plain, call) ?? plain;
  const question = questionOf(callWith(call, event), head);
  const result = await writer.append({
    chatId: head.id,
    after: head.seq,
    head: { ...advanceHead(head, [event]), auditHead: event.seal ?? head.auditHead },
    events: [event],
    questions: question ? [question] : [],
    now,
  });
  return result === 'appended';
}
