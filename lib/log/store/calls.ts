import type { ChatId, ToolCallId } from '../../protocol/ids/ids.ts';

/**
 * What a tool call does: `digest` is equal for calls of the same tool with the same arguments. Kept beside the log, so
 * that a repeated call is found without reading logs.
 */
export type CallMark = {
  readonly toolCallId: ToolCallId;
  /** At most 128 characters of ASCII. */
  readonly digest: string;
  /** The person whose message led to the call. */
  readonly askerId: string;
  /** Epoch milliseconds. */
  readonly at: number;
};

/** What calls did, so that a repeated one is found. */
export type CallStore = {
  /**
   * Calls that were marked with this digest at or after `since` (epoch milliseconds), in this chat or for this asker,
   * newest first. Costs one index entry for each call with the digest since then, by any person.
   */
  recent(query: {
    digest: string;
    chatId: ChatId;
    askerId: string;
    since: number;
    limit: number;
  }): Promise<readonly (CallMark & { readonly chatId: ChatId })[]>;
};
