import type { UIMessage } from 'ai';
import type { ApprovalId, ChatId, Principal } from '../../protocol/index.ts';

/**
 * An existing chat, as an app with the SDK alone stored it.
 *
 * @source ADR 0036
 */
export type ImportRequest = {
  /** Whose chat it is. An open approval is asked in this name. */
  readonly principal: Principal;
  /** The id of the chat: 1 to 128 characters of `A-Za-z0-9_-`. */
  readonly chatId: string;
  /** All messages, oldest first, as `useChat` has them. At most 10,000, and 32 MiB of JSON. */
  readonly messages: readonly UIMessage[];
  /** At most 200 characters. Default: the beginning of the first text of the person. */
  readonly title?: string;
  /** When the chat was created, in epoch milliseconds. Default: `updatedAt`, or now. */
  readonly createdAt?: number;
  /**
   * When the chat was last changed, in epoch milliseconds, for lists and `retentionMs`. Default: now. A chat with an open
   * approval changes when it is imported.
   */
  readonly updatedAt?: number;
  /** For `prepareCall`, if an open approval is asked again: those of its turn. */
  readonly callOptions?: unknown;
};

/**
 * What an import did. `unchanged`: the chat had been imported with the same messages before.
 *
 * @source ADR 0036
 */
export type ImportResult = {
  readonly status: 'imported' | 'unchanged';
  /** The question that is open: when it is imported, the one that an open approval became. */
  readonly open?: ApprovalId;
};

/** A request that has been checked. */
export type CheckedImport = ImportRequest & {
  readonly chatId: ChatId;
  /** Of the messages. */
  readonly digest: string;
};
