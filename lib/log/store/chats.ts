import type { Page } from '../../protocol/chat.ts';
import type { FlowEvent } from '../../protocol/events.ts';
import type { ApprovalId, ChatId, RunId } from '../../protocol/ids/ids.ts';
import type { ChatStatus } from '../../protocol/wire/chat/chat-status.ts';

/**
 * The head of a chat: what must be known before its log is read. Written with each append, except for
 * `ownerId`, `title` and `createdAt`, which only the first append sets: a head that was read before a
 * `rename` cannot undo it.
 */
export type ChatHead = {
  readonly id: ChatId;
  readonly ownerId: string;
  readonly title: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** `seq` of the last event. */
  readonly seq: number;
  /** `seq` of the first event of the open (or last) turn: answering reads from here. */
  readonly turnSeq: number;
  readonly status: ChatStatus;
  /** The run that is active, or was last. */
  readonly runId: RunId | null;
  readonly open: ApprovalId | null;
  /** The seal of the chat's last audit entry; `null` before the first. */
  readonly auditHead: string | null;
};

/** Chats: their heads, and what concerns a chat with all that belongs to it. */
export type ChatStore = {
  head(chatId: ChatId): Promise<ChatHead | undefined>;
  /**
   * An owner's chats, last changed first. `openCount` counts their open questions. A chat that changes while
   * pages are read moves to the front: never returned twice, but possibly missed.
   */
  list(query: {
    ownerId: string;
    cursor?: string;
    limit: number;
  }): Promise<Page<ChatHead & { openCount: number }>>;
  /** Chats without an active run that were last changed before a time, the oldest first. */
  stale(before: number, limit: number): Promise<ChatId[]>;
  /**
   * Chats without an active run that were last changed at or after `since` and have an `auditHead`, oldest change
   * first. A chat that changes while pages are read moves to the end: it is in one of the pages at least once.
   *
   * @param since epoch milliseconds
   */
  sealedSince(since: number, limit: number, cursor?: string): Promise<Page<ChatHead>>;
  /**
   * Chats without an active run that were last changed at or after `since`, oldest change first. A chat that changes while
   * pages are read moves to the end, so a page may list it again.
   *
   * @param query.since epoch milliseconds
   */
  changedSince(query: { since: number; cursor?: string; limit: number }): Promise<Page<ChatHead>>;
  /** Changes the title, and not `updatedAt`. Nothing when there is no such chat. */
  rename(chatId: ChatId, title: string): Promise<void>;
  /**
   * Gives what is kept under one principal's id to another: chats with their questions and call marks, and
   * records, with their keys as they are. Changes no event, no `updatedAt` and no feed. If it
   * fails, part of the work may be done. Repeating it does the rest, and nothing if nothing is left.
   */
  reassign(from: string, to: string): Promise<void>;
  /**
   * Deletes the chat, its log, its questions, its call marks, and its records; keeps a row without
   * content that says who erased it, and when. Its questions are gone from the feed of changes too: inboxes learn of
   * it by the notification. Nothing happens when there is no such chat. A chat id can be used and erased several times.
   *
   * @param record any text, kept in the same transaction; `erasures.list` returns it
   * @param seq what the record covers: nothing happens when the chat's last event is another one
   */
  erase(chatId: ChatId, by: string, at: number, record?: string, seq?: number): Promise<void>;
};

/** The events of chats. */
export type EventStore = {
  /** Events with `seq > after`, in order. At most `limit`, when given. */
  read(chatId: ChatId, after: number, limit?: number): Promise<FlowEvent[]>;
};
