import type {
  PluginRecord,
  RecordId,
  RecordWrite,
  StoredRecord,
  UnexpectedRecord,
} from '../log/store/index.ts';
import type { ChatId } from '../protocol/index.ts';
import { exactText } from './row-text.ts';
import type { Row } from './rows.ts';

export function recordNames({ plugin, kind, key }: RecordId): [string, string, string] {
  return [exactText(plugin), exactText(kind), exactText(key)];
}

/** The other columns of a record, but for its chat and its version. */
export function recordColumns({
  ownerId,
  dueAt,
  sort = 0,
  value,
}: Pick<PluginRecord, 'ownerId' | 'dueAt' | 'sort' | 'value'>): [
  string | null,
  number | null,
  number,
  string,
] {
  return [ownerId === undefined ? null : exactText(ownerId), dueAt ?? null, sort, exactText(value)];
}

/** @see UnexpectedRecord */
export function unexpectedRecord({ plugin, kind, key }: RecordId): UnexpectedRecord {
  return { unexpected: { plugin, kind, key } };
}

/** The columns that name records, each as an array. */
export function nameColumns(records: readonly RecordId[]): readonly [string[], string[], string[]] {
  const names = records.map(recordNames);
  return [names.map(([plugin]) => plugin), names.map(([, kind]) => kind), names.map(([, , key]) => key)];
}

/** The first of these writes, in order, whose record is not as expected. @param found what is stored of them */
export function firstUnexpected(
  writes: readonly RecordWrite[],
  found: readonly StoredRecord[],
): UnexpectedRecord | undefined {
  const unexpected = recordsInOrder(writes).find((write) => {
    const { version = 0 } = found.find((record) => isSame(record, write)) ?? {};
    return write.expects !== undefined && version !== (write.expects === 'absent' ? 0 : write.expects);
  });
  return unexpected && unexpectedRecord(unexpected);
}

export function isSame(one: RecordId, other: RecordId): boolean {
  return one.plugin === other.plugin && one.kind === other.kind && one.key === other.key;
}

/** In one order, so that transactions that write the same records do not wait for each other in a circle. */
export function recordsInOrder(records: readonly RecordWrite[]): readonly RecordWrite[] {
  const place = (record: RecordWrite) => recordNames(record).join();
  return records.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
}

type RecordRow = Readonly<Record<'plugin' | 'kind' | 'key' | 'value', string>> & {
  readonly chat_id: ChatId | null;
  readonly owner: string | null;
  readonly due_at: number | null;
};

export function toRecord(row: Row): StoredRecord {
  const { plugin, kind, key, chat_id: chatId, owner, due_at: dueAt, value } = row as RecordRow;
  return {
    plugin: JSON.parse(plugin),
    kind: JSON.parse(kind),
    key: JSON.parse(key),
    ...(chatId !== null && { chatId }),
    ...(owner !== null && { ownerId: JSON.parse(owner) }),
    ...(dueAt !== null && { dueAt }),
    sort: Number(row.sort),
    version: Number(row.version),
    value: JSON.parse(value),
  };
}
