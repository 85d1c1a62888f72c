import type { CallMark, ChatHead, Instance, KeptRecord, QuestionChange } from '../log/store/index.ts';
import type { ApprovalId, ChatId, FlowEvent, Question, Session } from '../protocol/index.ts';
import { placeBy } from './cursor.ts';

/** A row as a driver returns it. Integers are numbers. */
export type Row = Readonly<Record<string, unknown>>;

type ChatRow = Pick<ChatHead, 'id' | 'seq' | 'status'> & {
  chat: number;
  owner: string;
  title: string;
  created_at: number;
  updated_at: number;
  turn_seq: number;
  run: ChatHead['runId'];
  open: string | null;
  audit_head: string | null;
};
type EventRow = Pick<FlowEvent, 'seq' | 'at'> & { run: string; body: string };
type QuestionRow = Pick<Question, 'state'> & {
  id: string;
  chat_id: ChatId;
  owner: string;
  requested_at: number;
  body: string;
};

type CallRow = Pick<CallMark, 'digest' | 'at'> & { chat_id: ChatId; call: string; asker: string };
type InstanceRow = { id: string; until: number; outdated: string; plugins: string };
type SessionRow = Pick<Session, 'id' | 'until'> & { created_at: number; seen_at: number; principal: string };
type KeptRow = { chat_id: ChatId; erased_by: string; at: number; record: string };

/** Adds what `eventBody` left out. */
export function toEvent(row: Row): FlowEvent {
  const { seq, at, run, body } = row as EventRow;
  const event = { seq, at, ...(run !== '' && { runId: run }), ...JSON.parse(body) };
  if (!event.modelGetsOutput) return event;
  delete event.modelGetsOutput;
  event.modelOutput.value = event.output;
  return event;
}

export function toChatId(row: Row): ChatId {
  return (row as Pick<ChatRow, 'id'>).id;
}

export const placeOfChat = placeBy('updated_at', 'chat');

export const placeOfQuestion = placeBy('requested_at', 'question');

export function toCallMark(row: Row): CallMark & { readonly chatId: ChatId } {
  const { chat_id: chatId, call, digest, asker, at } = row as CallRow;
  return { chatId, toolCallId: JSON.parse(call), digest, askerId: JSON.parse(asker), at };
}

export function toInstance(row: Row): Instance {
  const { id, until, outdated, plugins } = row as InstanceRow;
  return { id: JSON.parse(id), until, outdated: JSON.parse(outdated), plugins: JSON.parse(plugins) };
}

export function toSession(row: Row): Session {
  const { id, created_at: createdAt, seen_at: lastSeenAt, until, principal } = row as SessionRow;
  return { id, principal: JSON.parse(principal), createdAt, lastSeenAt, until };
}

export function toKeptRecord(row: Row): KeptRecord {
  const { chat_id: chatId, erased_by: by, at: erasedAt, record } = row as KeptRow;
  return { chatId, erasedBy: JSON.parse(by), erasedAt, record: JSON.parse(record) };
}

export function toResultText(row: Row): string {
  return JSON.parse((row as { body: string }).body);
}

/** @param parseId reads the id of a question, which each database stores in its own form */
export function createRowParsers(parseId: (stored: string) => string) {
  function toHead(row: Row): ChatHead {
    const chat = row as ChatRow;
    return {
      id: chat.id,
      ownerId: JSON.parse(chat.owner),
      title: JSON.parse(chat.title),
      createdAt: chat.created_at,
      updatedAt: chat.updated_at,
      seq: chat.seq,
      turnSeq: chat.turn_seq,
      status: chat.status,
      runId: chat.run,
      open: chat.open === null ? null : (parseId(chat.open) as ApprovalId),
      auditHead: chat.audit_head,
    };
  }

  function toQuestion(row: Row): Question {
    const { id, chat_id: chatId, owner, state, requested_at: requestedAt, body } = row as QuestionRow;
    return {
      id: parseId(id) as ApprovalId,
      chatId,
      ownerId: JSON.parse(owner),
      state,
      requestedAt,
      ...JSON.parse(body),
    };
  }

  function toQuestionChange(row: Row): QuestionChange {
    return { change: Number(row.change), question: toQuestion(row) };
  }

  return { toHead, toQuestion, toQuestionChange };
}
