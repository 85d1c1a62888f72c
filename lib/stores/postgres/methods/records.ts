import type { PoolClient } from 'pg';
import type { RecordId, RecordStore, RecordWrite, UnexpectedRecord } from '../../../log/store/index.ts';
import { lastPlace, pageOf, placeBy, readCursor } from '../../cursor.ts';
import { createGroups } from '../../groups.ts';
import {
  isSame,
  nameColumns,
  recordColumns,
  recordNames,
  recordsInOrder,
  toRecord,
  unexpectedRecord,
} from '../../record-rows.ts';
import { exactText } from '../../row-text.ts';
import type { Access } from '../access.ts';
import type { Statements } from '../statements.ts';

/** Writes records in the transaction of a client, until one is not as expected. */
async function writeRecords(
  client: PoolClient,
  statements: Statements,
  records: readonly RecordWrite[],
): Promise<UnexpectedRecord | undefined> {
  for (const record of recordsInOrder(records)) {
    const { rows } = await client.query(statementFor(statements, record));
    const mayBeAbsent = record.isDeleted === true && record.expects === undefined;
    if (rows.length === 0 && !mayBeAbsent) return unexpectedRecord(record);
  }
  return undefined;
}

function statementFor(statements: Statements, record: RecordWrite) {
  const names = recordNames(record);
  if (record.isDeleted) return { ...statements.deleteRecord, values: [...names, record.expects ?? null] };
  const { expects } = record;
  const values = [...names, ...recordColumns(record)];
  if (expects === 'absent') return { ...statements.createRecord, values };
  if (expects === undefined) return { ...statements.putRecord, values };
  return { ...statements.moveRecord, values: [...values, expects] };
}

/** Concurrent lookups share one round trip. @returns `idle` resolves when none is waiting */
export function postgresRecords({ ask, open, query, statements, withStoreErrors }: Access) {
  const lookups = createGroups(async (asked: readonly (readonly RecordId[])[]) => {
    const found = (await query(statements.records, ...nameColumns(asked.flat()))).map(toRecord);
    return asked.map((ids) => found.filter((record) => ids.some((id) => isSame(id, record))));
  });

  const records: RecordStore = {
    write: (records) =>
      withStoreErrors(async () =>
        (await open()).use(async (client) => {
          await client.query('begin');
          const unexpected = await writeRecords(client, statements, records);
          await client.query(unexpected ? 'rollback' : 'commit');
          return unexpected;
        }),
      ),

    read: (kind, keys) => withStoreErrors(() => lookups.add(keys.map((key) => ({ ...kind, key })))),

    list: async ({ plugin, kind, ownerId, cursor, limit }) => {
      const { at, row } = cursor === undefined ? lastPlace : readCursor(cursor);
      const of = [exactText(ownerId), exactText(plugin), exactText(kind)];
      return pageOf(
        await ask(statements.recordsOf, ...of, at, row, limit + 1),
        limit,
        toRecord,
        placeBy('sort', 'record'),
      );
    },

    due: async ({ plugin, kind, now, limit }) =>
      (await ask(statements.recordsDue, exactText(plugin), exactText(kind), now, limit)).map(toRecord),

    drop: async (plugin) => (await ask(statements.dropRecords, exactText(plugin))).length,
  };
  return { records, idle: lookups.idle };
}
