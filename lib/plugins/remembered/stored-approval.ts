import type { PluginRecord, RecordId, RecordWrite, StoredRecord } from '../../log/store/index.ts';
import type { ChatId, JsonValue, StandingApproval } from '../../protocol/index.ts';
import type { Remember } from '../../protocol/wire/remember.ts';

/** A remembered approval, and how often it was used. Times are epoch milliseconds. @source ADR 0015 */
export type Remembered = Remember &
  Pick<StandingApproval, 'id' | 'by' | 'toolName' | 'approvalId' | 'createdAt'> & {
    /** Present with scope `chat`. The approval is deleted with the chat. */
    readonly chatId?: ChatId;
    readonly title?: string;
    /** The arguments that are covered, redacted. Present with `exact-arguments`. */
    readonly input?: JsonValue;
    readonly uses: number;
    readonly lastUsedAt?: number;
  };

/** What a record holds. Its key is what the approval covers. */
export type StoredApproval = Pick<
  Remembered,
  'scope' | 'match' | 'title' | 'input' | 'uses' | 'lastUsedAt'
> & {
  readonly approval: StandingApproval;
};

/** The kind of the plugin's records. */
export const rememberedRecords = { plugin: 'remembered', kind: 'approval' } as const satisfies Omit<
  RecordId,
  'key'
>;

/** The record of an approval as it is written. Approvals for a chat are deleted with it. */
export function recordOf(stored: StoredApproval): Exclude<RecordWrite, { isDeleted: true }> {
  const { approval, scope } = stored;
  return {
    ...rememberedRecords,
    key: approval.covers,
    ownerId: approval.by.id,
    sort: approval.createdAt,
    value: JSON.stringify(stored),
    ofChat: scope === 'chat',
  };
}

/** Parses a record. */
export function storedApproval({ value }: Pick<PluginRecord, 'value'>): StoredApproval {
  return JSON.parse(value);
}

/** An approval as its person sees it: without what it covers and its seal. */
export function shown(record: StoredRecord): Remembered {
  const { approval, ...rest } = storedApproval(record);
  const { id, by, toolName, approvalId, createdAt } = approval;
  const { chatId } = record;
  return { id, by, toolName, approvalId, createdAt, chatId, ...rest };
}
