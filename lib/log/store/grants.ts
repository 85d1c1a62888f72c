import type { Grant, UsedGrant } from '../../protocol/approval/grants.ts';
import type { Page } from '../../protocol/chat.ts';
import type { GrantId } from '../../protocol/ids/ids.ts';

/** Remembered approvals. Appends write and use them. */
export type GrantStore = {
  /** The grants with these keys, in no order. */
  find(keys: readonly string[]): Promise<Grant[]>;
  /** What a person had remembered, the newest first. */
  list(query: { personId: string; cursor?: string; limit: number }): Promise<Page<UsedGrant>>;
  /** Revokes a grant of this person. False if the person has none with this id. */
  revoke(id: GrantId, personId: string): Promise<boolean>;
};
