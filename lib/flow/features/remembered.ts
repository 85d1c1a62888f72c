import type { FlowStore } from '../../log/store/index.ts';
import type { GrantId, Page, UsedGrant } from '../../protocol/index.ts';
import { CountersignError } from '../../protocol/index.ts';
import type { Cursors } from '../../views/questions/cursors.ts';
import { pageSize } from '../page-size.ts';
import type { By } from '../request.ts';

/** A remembered approval, and when it was used. Times are epoch milliseconds. @source ADR 0015 */
export type Remembered = Omit<UsedGrant, 'key' | 'seal'>;

/** Remembered approvals. */
export type RememberedApprovals = {
  /** The approvals that this person asked to remember, newest first. @source ADR 0015 */
  list(request: By & { cursor?: string; limit?: number }): Promise<Page<Remembered>>;
  /** Revokes a remembered approval: it no longer applies to any call. `not-found` if it belongs to another person. */
  forget(request: By & { grantId: GrantId }): Promise<void>;
};

/** @see RememberedApprovals */
export function createRemembered(store: FlowStore, cursors: Cursors): RememberedApprovals {
  return {
    async list({ principal, cursor, limit }) {
      const page = await cursors.page('remembered', principal, { cursor, limit: pageSize(limit) }, (from) =>
        store.grants.list({ personId: principal.id, ...from }),
      );
      return { ...page, items: page.items.map(({ key: _key, seal: _seal, ...grant }) => grant) };
    },

    async forget({ principal, grantId }) {
      if (await store.grants.revoke(grantId, principal.id)) return;
      throw new CountersignError('not-found', `You have no remembered approval ${grantId}.`, { grantId });
    },
  };
}
