import type { GrantStore } from '../../../log/store/index.ts';
import { lastPlace, pageOf, readCursor } from '../../cursor.ts';
import { exactText } from '../../row-text.ts';
import type { Row } from '../../rows.ts';
import type { Access } from '../access.ts';
import { toGrant, toUsedGrant } from '../rows.ts';

/** Remembered approvals. */
export function sqliteGrants({ ask, statements }: Access): GrantStore {
  return {
    find: (keys) =>
      ask(() => {
        const rows: Row[] = [];
        for (let from = 0; from < keys.length; from += 4) {
          const [one = null, two = null, three = null, four = null] = keys.slice(from, from + 4);
          rows.push(...statements.grants.all(one, two, three, four));
        }
        return rows.map(toGrant);
      }),

    list: ({ personId, cursor, limit }) =>
      ask(() => {
        const { at, row } = cursor === undefined ? lastPlace : readCursor(cursor);
        const rows = statements.grantsOf.all(exactText(personId), at, row, limit + 1);
        return pageOf(rows, limit, toUsedGrant, (grant) => ({
          at: Number(grant.created_at),
          row: Number(grant.number),
        }));
      }),

    revoke: (id, personId) => ask(() => statements.revoke.run(id, exactText(personId)).changes > 0),
  };
}
