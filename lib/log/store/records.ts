import type { Page } from '../../protocol/chat.ts';
import type { ChatId } from '../../protocol/ids/ids.ts';

/** Names a record. Each part has at most 300 characters. */
export type RecordId = {
  /** The name of the plugin. */
  readonly plugin: string;
  readonly kind: string;
  /** Unique among the records of the kind. */
  readonly key: string;
};

/** Data of a plugin, stored outside the log. */
export type PluginRecord = RecordId & {
  /** The chat that it belongs to, and is deleted with. */
  readonly chatId?: ChatId;
  /** The person that it is listed for. */
  readonly ownerId?: string;
  /** When it is due, in epoch milliseconds. */
  readonly dueAt?: number;
  /** A whole number. Lists begin with the highest. Default 0. */
  readonly sort?: number;
  /** A text that only the plugin reads. */
  readonly value: string;
};

/** A record as it is stored. */
export type StoredRecord = PluginRecord & {
  readonly sort: number;
  /** 1 when the record is created, and one more with each write. */
  readonly version: number;
};

/**
 * What happens to a record: it is written as a whole, or deleted. With `expects`, it happens only if the record is absent, or has
 * this version.
 */
export type RecordWrite =
  | (Omit<PluginRecord, 'chatId'> & {
      /** True: it belongs to the chat of the append. Only in an append. */
      readonly ofChat?: boolean;
      readonly expects?: 'absent' | number;
      readonly isDeleted?: never;
    })
  | (RecordId & { readonly isDeleted: true; readonly expects?: number });

/** A write that was refused because the record is not as expected. Nothing was written with it. */
export type UnexpectedRecord = { readonly unexpected: RecordId };

/** The records of plugins. Appends write them, too. @source ADR 0056 */
export type RecordStore = {
  /**
   * Writes records that belong to no chat, all of them or none. After an error, they may have been written.
   *
   * @returns undefined, or the first record that is not as expected
   */
  write(records: readonly RecordWrite[]): Promise<UnexpectedRecord | undefined>;
  /** The records with these keys, in no order. */
  read(kind: Omit<RecordId, 'key'>, keys: readonly string[]): Promise<readonly StoredRecord[]>;
  /** A person's records of a kind, the highest `sort` first, and of several the newest. */
  list(query: {
    readonly plugin: string;
    readonly kind: string;
    readonly ownerId: string;
    readonly cursor?: string;
    readonly limit: number;
  }): Promise<Page<StoredRecord>>;
  /** Records of a kind that are due at `now` (epoch milliseconds), the longest due first. */
  due(query: {
    readonly plugin: string;
    readonly kind: string;
    readonly now: number;
    readonly limit: number;
  }): Promise<readonly StoredRecord[]>;
  /** Deletes all records of a plugin. Returns how many there were. */
  drop(plugin: string): Promise<number>;
};
