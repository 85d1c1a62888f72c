import { pageSize } from '../../flow/page-size.ts';
import type { FlowStore } from '../../log/store/index.ts';
import { CountersignError, type GrantId, type Page, type Principal } from '../../protocol/index.ts';
import type { Cursors } from '../../views/questions/cursors.ts';
import { type Remembered, rememberedRecords, shown } from './stored-approval.ts';

/** Remembered approvals. */
export type RememberedMethods = {
  /** The approvals that this person asked to remember, newest first. @source ADR 0015 */
  list(request: {
    readonly principal: Principal;
    readonly cursor?: string;
    readonly limit?: number;
  }): Promise<Page<Remembered>>;
  /** Revokes a remembered approval: it no longer applies to any call. `not-found` if it belongs to another person. */
  forget(request: { readonly principal: Principal; readonly grantId: GrantId }): Promise<void>;
};

/** How many records are read at once to find one by its id. */
const readAtOnce = 100;

/** @see RememberedMethods */
export function createMethods({ records }: FlowStore, cursors: Cursors): RememberedMethods {
  /** The key of this person's approval. It is not its id: who knows a key could guess secret arguments. */
  async function keyOf(ownerId: string, grantId: GrantId): Promise<string | undefined> {
    let cursor: string | undefined;
    do {
      const from = { ...rememberedRecords, ownerId, limit: readAtOnce };
      const page = await records.list(cursor === undefined ? from : { ...from, cursor });
      const found = page.items.find((record) => shown(record).id === grantId);
      if (found) return found.key;
      cursor = page.next;
    } while (cursor !== undefined);
    return undefined;
  }

  return {
    async list({ principal, cursor, limit }) {
      const of = { ...rememberedRecords, ownerId: principal.id };
      const page = await cursors.page('remembered', principal, { cursor, limit: pageSize(limit) }, (from) =>
        records.list({ ...of, ...from }),
      );
      return { ...page, items: page.items.map(shown) };
    },

    async forget({ principal, grantId }) {
      const key = await keyOf(principal.id, grantId);
      if (key === undefined) {
        throw new CountersignError('not-found', `You have no remembered approval ${grantId}.`, { grantId });
      }
      await records.write([{ ...rememberedRecords, key, isDeleted: true }]);
    },
  };
}
