import type { ChatId } from '../../protocol/ids/ids.ts';

/** A part of the text of a large result. @source ADR 0042 */
export type ResultPart = {
  readonly chatId: ChatId;
  /** `createdAt` of the chat, because the id of an erased chat may be used again. */
  readonly createdAt: number;
  /** Unique in the chat; at most 300 characters. */
  readonly resultId: string;
  /** Counts from 0. */
  readonly index: number;
  /** At most 65,536 characters. */
  readonly text: string;
};

/** Texts of large results. @source ADR 0042 */
export type ResultStore = {
  /**
   * Stores a part of a large result. The part is deleted with its chat. Storing the same part again replaces it.
   *
   * @returns false, and stores nothing, if there is no such chat
   */
  add(part: ResultPart): Promise<boolean>;
  /** The text of a part; `undefined` if there is none. */
  read(query: Pick<ResultPart, 'chatId' | 'resultId' | 'index'>): Promise<string | undefined>;
};
