import type { UIMessage } from 'ai';
import type { ApprovalId, ChatId, Principal } from '../../protocol/index.ts';

/**
 * An existing chat, as an app with the SDK alone stored it.
 *
 * @source ADR 0036
 */
export type ImportRequest = {
  /** The owner of the chat. An open approval is asked in their name. */
  readonly principal: Principal;
  /** The id of the chat: 1 to 128 characters of `A-Za-z0-9_-`. */
  readonly chatId: string;
  /** All messages, oldest first, as `useChat` has them. At most 10,000, and 32 MiB of JSON. */
  readonly messages: readonly UIMessage[];
  /** At most 200 characters. Default: the beginning of the person's first text. */
  readonly title?: string;
  /** When the chat was created, in epoch milliseconds. Default: `updatedAt`, or now. */
  readonly createdAt?: number;
  /**
   * When the chat was last changed, in epoch milliseconds, for lists and `retentionMs`. Default: now. A chat with an open
   * approval changes when it is imported.
   */
  readonly updatedAt?: number;
  /** Call options for `prepareCall`, if an open approval is asked again. */
  readonly callOptions?: unknown;
};

/**
 * The result of an import. `unchanged`: the chat had been imported with the same messages before.
 *
 * @source ADR 0036
 */
export type ImportResult = {
  readonly status: 'imported' | 'unchanged';
  /** The open question: after an import, the one that replaced an open approval. */
  readonly open?: ApprovalId;
};

/** A request that has been checked. */
export type CheckedImport = ImportRequest & {
  readonly chatId: ChatId;
  /** Of the messages. */
  readonly digest: string;
};
