import type { By } from '../../flow/request.ts';
import type { Person } from '../../protocol/index.ts';
import type { Delegation } from './delegation.ts';

/**
 * What a person delegates: the right to answer, to the person with the id `to`, until a time in epoch milliseconds.
 *
 * @source ADR 0049
 */
export type DelegateRequest = By & {
  readonly to: string;
  readonly until: number;
  /** The tools whose questions it covers, at most 20. Default: all. */
  readonly toolNames?: readonly string[] | undefined;
  /** Why, for the other person: at most 200 characters. */
  readonly note?: string | undefined;
};

/** The delegations of a person that are live, oldest first. */
export type DelegationList = {
  /** Who may answer for this person. */
  readonly given: readonly Delegation[];
  /** For whom this person may answer. */
  readonly received: readonly Delegation[];
  /** The longest time for which this person can delegate, in milliseconds. */
  readonly longestMs: number;
};

/** People who answer for others. */
export type DelegationMethods = {
  /**
   * Lets another person answer for this one, until a time. Rules see this person as the directory (`people`) knows them when the
   * right is used, so a role that was lost is not handed on. The other person cannot hand it on, remember approvals with it, or
   * answer what they asked for themselves. Answers name both people.
   *
   * @throws CountersignError `invalid-request` if either person is not in the directory, for the same person, for a time that
   * is over or too late, and with ten live delegations already
   * @source ADR 0049
   */
  give(request: DelegateRequest): Promise<Delegation>;
  /** The live delegations that this person has given and received. */
  list(request: By): Promise<DelegationList>;
  /**
   * Ends a delegation that this person has given or received. Once it resolves, no instance accepts an answer by this right,
   * except one whose rights it had already checked.
   *
   * @throws CountersignError `not-found` for a delegation of other people, and for one that has ended
   * @source ADR 0049
   */
  revoke(request: By & { readonly delegationId: string }): Promise<void>;
  /**
   * At most ten people of the directory whose names fit a text, without the person who searches: to delegate to.
   *
   * @throws CountersignError `invalid-request` for a text of fewer than 2 or more than 100 characters
   */
  people(request: By & { readonly search: string }): Promise<readonly Person[]>;
};
