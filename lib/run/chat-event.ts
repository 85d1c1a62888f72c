import { advanceHead } from '../log/chat-head.ts';
import { eventTime } from '../log/event-time.ts';
import type { FlowClock } from '../log/flow-clock.ts';
import type { Auditor } from '../log/seal/auditor.ts';
import type { Append, AppendResult, ChatHead, RecordWrite } from '../log/store/index.ts';
import { callWith } from '../log/turn/fold-turn.ts';
import { questionOf } from '../log/turn/question.ts';
import type { Call } from '../log/turn/turn.ts';
import { type ChatEvent, type ChatEventBody, present } from '../protocol/index.ts';

/** What is needed to write events of a chat between its runs. */
export type ChatWriter = {
  readonly clock: FlowClock;
  readonly auditor?: Auditor;
  append(batch: Omit<Append, 'id' | 'owner'>): Promise<AppendResult>;
};

/** An event of a chat, and the call that it is about, folded from the log up to the head that it follows. */
export type CallEvent = { readonly call: Call; readonly body: ChatEventBody };

/** Appends one event that belongs to the chat and to no run. @see appendChatEvents */
export async function appendChatEvent(
  writer: ChatWriter,
  head: ChatHead,
  call: Call,
  body: ChatEventBody,
  records: readonly RecordWrite[] = [],
): Promise<boolean> {
  return (await appendChatEvents(writer, head, [{ call, body }], records)) !== undefined;
}

/**
 * Appends events that belong to the chat and to no run, together. Each is sealed like any other event of its call, and the
 * call's question takes a new place in the feed of changes, so that pages and inboxes learn of it.
 *
 * @param head the head that the events follow. Nothing is appended while a run is active
 * @param entries at least one, each about another call
 * @param records of plugins, written with the events
 * @returns nothing if nothing was written: the chat has changed, an event's claim is taken, or a run has
 *   begun
 */
export async function appendChatEvents(
  writer: ChatWriter,
  head: ChatHead,
  entries: readonly CallEvent[],
  records: readonly RecordWrite[] = [],
): Promise<readonly ChatEvent[] | undefined> {
  const { auditor, clock } = writer;
  if (head.status === 'active') return undefined;
  const now = await clock.sure();
  let { auditHead } = head;
  const events = entries.map(({ call, body }, index): ChatEvent => {
    const place = { seq: head.seq + 1 + index, at: eventTime(head.updatedAt, now) };
    const plain: ChatEvent = present({ ...body, ...place });
    const event = auditor?.sealed(head.id, auditHead, plain, call) ?? plain;
    auditHead = event.seal ?? auditHead;
    return event;
  });
  const questions = entries.flatMap(({ call }, index) => {
    const event = events[index];
    return (event && questionOf(callWith(call, event), head)) ?? [];
  });
  const result = await writer.append({
    chatId: head.id,
    after: head.seq,
    head: { ...advanceHead(head, events), auditHead },
    events,
    questions,
    records: records.length > 0 ? records : undefined,
    now,
  });
  return result === 'appended' ? events : undefined;
}
