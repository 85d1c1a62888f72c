import type { GrantStore } from '../../../log/store/index.ts';
import { lastPlace, pageOf, readCursor } from '../../cursor.ts';
import { createGroups } from '../../groups.ts';
import { exactText } from '../../row-text.ts';
import type { Access } from '../access.ts';
import { toGrant, toUsedGrant } from '../rows.ts';

/**
 * Remembered approvals. Concurrent lookups share one round trip.
 *
 * @returns `idle` resolves when no lookup is waiting
 */
export function postgresGrants({ ask, query, statements, withStoreErrors }: Access): {
  readonly grants: GrantStore;
  idle(): Promise<void>;
} {
  const lookups = createGroups(async (keys: readonly (readonly string[])[]) => {
    const found = (await query(statements.grants, keys.flat())).map(toGrant);
    return keys.map((each) => found.filter(({ key }) => each.includes(key)));
  });

  const grants: GrantStore = {
    find: (keys) => withStoreErrors(() => lookups.add(keys)),

    list: async ({ personId, cursor, limit }) => {
      const { at, row } = cursor === undefined ? lastPlace : readCursor(cursor);
      return pageOf(
        await ask(statements.grantsOf, exactText(personId), at, row, limit + 1),
        limit,
        toUsedGrant,
        (grant) => ({ at: Number(grant.created_at), row: Number(grant.number) }),
      );
    },

    revoke: async (id, personId) =>
      (await ask(statements.revoke, exactText(id), exactText(personId))).length > 0,
  };
  return { grants, idle: lookups.idle };
}
