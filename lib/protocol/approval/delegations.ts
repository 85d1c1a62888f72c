import type { DelegationId } from '../ids/ids.ts';
import type { Person } from '../principal.ts';

/**
 * One person lets another answer for them, until a time. Times are epoch milliseconds.
 *
 * @source ADR 0049
 */
export type Delegation = {
  readonly id: DelegationId;
  /** Whose right it is. */
  readonly from: Person;
  /** Who may use it. */
  readonly to: Person;
  readonly createdAt: number;
  readonly until: number;
  /** The tools whose questions it covers. Default: all. */
  readonly toolNames?: readonly string[];
  /** Why, in the words of the person who delegates. */
  readonly note?: string;
};
