import type { DelegateRequest, DelegationList } from '../../commands/delegate.ts';
import { delegate, listDelegations, revokeDelegation, searchPeople } from '../../commands/delegate.ts';
import type { Delegation, DelegationId, Person } from '../../protocol/index.ts';
import type { Engine } from '../../run/engine.ts';
import type { By } from '../request.ts';

/** People who answer for others. */
export type DelegationMethods = {
  /**
   * Lets another person answer for this one, until a time. Rules see this person as the directory (`people`) knows them when the
   * right is used, so a role that was lost is not handed on. The other person cannot hand it on, remember approvals with it, or
   * answer what they asked for themselves. Answers name both people.
   *
   * @throws CountersignError `not-found` without the setting `delegations`; `invalid-request` if either person is not in the
   * directory, for the same person, for a time that is over or too late, and with ten live delegations already
   * @source ADR 0049
   */
  give(request: DelegateRequest): Promise<Delegation>;
  /** The live delegations that this person has given and received. `not-found` without the setting `delegations`. */
  list(request: By): Promise<DelegationList>;
  /**
   * Ends a delegation that this person has given or received. Once it resolves, no instance accepts an answer by this right,
   * except one whose rights it had already checked.
   *
   * @throws CountersignError `not-found` for a delegation of other people, and for one that has ended
   * @source ADR 0049
   */
  revoke(request: By & { readonly delegationId: DelegationId }): Promise<void>;
  /**
   * At most ten people of the directory whose names fit a text, without the person who searches. Show only their ids and names.
   *
   * @throws CountersignError `not-found` without the setting `delegations`; `invalid-request` for a text of fewer than 2 or more
   * than 100 characters
   */
  people(request: By & { readonly search: string }): Promise<readonly Person[]>;
};

/** @see DelegationMethods */
export function createDelegation(engine: Engine): DelegationMethods {
  return {
    give: (request) => delegate(engine, request),
    list: ({ principal }) => listDelegations(engine, principal),
    revoke: (request) => revokeDelegation(engine, request),
    people: (request) => searchPeople(engine, request),
  };
}
