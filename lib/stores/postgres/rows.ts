import type { CallMark, ChatHead, Instance, KeptRecord, QuestionChange, Wake } from '../../log/store-port.ts';
import type { ChatId, FlowEvent, Grant, Question, Session, UsedGrant } from '../../protocol/index.ts';

/** A row as the driver hands it over; integers are numbers. */
export type Row = Readonly<Record<string, unknown>>;

type ChatRow = Pick<ChatHead, 'id' | 'seq' | 'status'> & {
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

type GrantRow = {
  id: string;
  key: string;
  chat_id: ChatId | null;
  created_at: number;
  uses: number;
  last_used_at: number | null;
  body: string;
};

type CallRow = Pick<CallMark, 'digest' | 'at'> & { chat_id: ChatId; call: string; asker: string };
type InstanceRow = { id: string; until: number; outdated: string };
type SessionRow = Pick<Session, 'id' | 'until'> & { created_at: number; seen_at: number; principal: string };
type KeptRow = { chat_id: ChatId; erased_by: string; at: number; record: string };

/** Parses a row of `events`. */
export function toEvent(row: Row): FlowEvent {
  const { seq, at, run, body } = row as EventRow;
  return { seq, at, ...(run !== '' && { runId: run }), ...JSON.parse(body) };
}

/** Parses the id of a row of `chats`. */
export function toChatId(row: Row): ChatId {
  return (row as Pick<ChatRow, 'id'>).id;
}

/** Parses a row of `chats`. */
export function toHead(row: Row): ChatHead {
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
    open: chat.open === null ? null : JSON.parse(chat.open),
    auditHead: chat.audit_head,
  };
}

/** Parses a row of `questions`, joined with its chat's id. */
export function toQuestion(row: Row): Question {
  const { id, chat_id: chatId, owner, state, requested_at: requestedAt, body } = row as QuestionRow;
  return {
    id: JSON.parse(id),
    chatId,
    ownerId: JSON.parse(owner),
    state,
    requestedAt,
    ...JSON.parse(body),
  };
}

/** Parses a row of `questions` as a change of the feed. */
export function toQuestionChange(row: Row): QuestionChange {
  return { change: Number(row.change), question: toQuestion(row) };
}

/** Parses a row of `grants`, joined with its chat's id. */
export function toGrant(row: Row): Grant {
  const { id, key, chat_id: chatId, created_at: createdAt, body } = row as GrantRow;
  return { id: JSON.parse(id), key, ...(chatId !== null && { chatId }), createdAt, ...JSON.parse(body) };
}

/** Parses a row of `grants` with what came of it. */
export function toUsedGrant(row: Row): UsedGrant {
  const { uses, last_used_at: lastUsedAt } = row as GrantRow;
  return { ...toGrant(row), uses, ...(lastUsedAt !== null && { lastUsedAt }) };
}

/** Parses a row of `calls`, joined with its chat's id. */
export function toCallMark(row: Row): CallMark & { readonly chatId: ChatId } {
  const { chat_id: chatId, call, digest, asker, at } = row as CallRow;
  return { chatId, toolCallId: JSON.parse(call), digest, askerId: JSON.parse(asker), at };
}

/** Parses a row of `instances`. */
export function toInstance(row: Row): Instance {
  const { id, until, outdated } = row as InstanceRow;
  return { id: JSON.parse(id), until, outdated: JSON.parse(outdated) };
}

/** Parses a row of `sessions`. */
export function toSession(row: Row): Session {
  const { id, created_at: createdAt, seen_at: lastSeenAt, until, principal } = row as SessionRow;
  return { id, principal: JSON.parse(principal), createdAt, lastSeenAt, until };
}

/** Parses a row of `erasures` that still has its record. */
export function toKeptRecord(row: Row): KeptRecord {
  const { chat_id: chatId, erased_by: by, at: erasedAt, record } = row as KeptRow;
  return { chatId, erasedBy: JSON.parse(by), erasedAt, record: JSON.parse(record) };
}

/** Parses a row of the chats that changed while nobody listened. */
export function toWake(row: Row): Wake {
  const { id: chatId, reason } = row as { id: ChatId; reason: Wake['reason'] };
  return { chatId, reason };
}
