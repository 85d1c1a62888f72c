import type { RecordStore, RecordWrite, UnexpectedRecord } from '../../../log/store/index.ts';
import { lastPlace, pageOf, placeBy, readCursor } from '../../cursor.ts';
import { recordColumns, recordNames, recordsInOrder, toRecord, unexpectedRecord } from '../../record-rows.ts';
import { exactText } from '../../row-text.ts';
import type { Row } from '../../rows.ts';
import type { Access } from '../access.ts';
import type { Statements } from '../statements.ts';
import { transaction } from '../transaction.ts';

function writeRecord(statements: Statements, record: RecordWrite, chat: number | bigint | null): boolean {
  const names = recordNames(record);
  if (record.isDeleted) {
    const { changes } = statements.deleteRecord.run(...names, record.expects ?? null);
    return changes > 0 || record.expects === undefined;
  }
  const row = [record.ofChat ? chat : null, ...recordColumns(record)];
  if (record.expects === 'absent') return statements.createRecord.run(...names, ...row).changes > 0;
  if (record.expects === undefined) return statements.putRecord.run(...names, ...row).changes > 0;
  return statements.moveRecord.run(...row, ...names, record.expects).changes > 0;
}

/** Writes records until one is not as expected. @param chat of the append; `null` outside of one */
export function writeRecords(
  statements: Statements,
  records: readonly RecordWrite[],
  chat: number | bigint | null,
): UnexpectedRecord | undefined {
  const refused = recordsInOrder(records).find((record) => !writeRecord(statements, record, chat));
  return refused && unexpectedRecord(refused);
}

export function sqliteRecords({ ask, db, statements }: Access): RecordStore {
  return {
    write: (records) =>
      ask(() =>
        transaction(
          db,
          () => writeRecords(statements, records, null),
          (unexpected) => unexpected === undefined,
        ),
      ),

    read: ({ plugin, kind }, keys) =>
      ask(() => {
        const rows: Row[] = [];
        for (let from = 0; from < keys.length; from += 4) {
          const [one = null, two = null, three = null, four = null] = keys
            .slice(from, from + 4)
            .map(exactText);
          rows.push(...statements.records.all(exactText(plugin), exactText(kind), one, two, three, four));
        }
        return rows.map(toRecord);
      }),

    list: ({ plugin, kind, ownerId, cursor, limit }) =>
      ask(() => {
        const { at, row } = cursor === undefined ? lastPlace : readCursor(cursor);
        const of = [exactText(ownerId), exactText(plugin), exactText(kind)];
        return pageOf(
          statements.recordsOf.all(...of, at, row, limit + 1),
          limit,
          toRecord,
          placeBy('sort', 'record'),
        );
      }),

    due: ({ plugin, kind, now, limit }) =>
      ask(() => statements.recordsDue.all(exactText(plugin), exactText(kind), now, limit).map(toRecord)),

    drop: (plugin) => ask(() => Number(statements.dropRecords.run(exactText(plugin)).changes)),
  };
}
