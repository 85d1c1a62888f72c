import type { Principal } from '../../protocol/index.ts';
import type { Rehearsal } from './rehearsal.ts';
import type { RehearseRequest } from './rehearse.ts';

/** Policies, tried on past calls. */
export type RehearsalMethods = {
  /**
   * Reports what another gate would have decided about past calls. Passes the calls through `policy`, and compares its decisions with
   * the recorded ones. The gate gets the arguments, the recorded asker and the messages before the call. It gets the flow's own context,
   * because neither `prepareCall` nor `prepareStep` is called. Reads each chat that has changed since then and has no active run.
   *
   * For operators: examples contain the arguments of everyone's calls, except values that tools keep secret. Without `principal`, no
   * rights are checked.
   *
   * @throws CountersignError `not-found` for a principal for whom `mayOperate` does not return `true`; `invalid-settings` for a gate that
   * `createApprovalFlow` would refuse; `invalid-request` for an unknown policy name, for a `since` after
   * `until`, and for `examples` that are no whole number
   * @source ADR 0046
   */
  run(request: RehearseRequest): Promise<Rehearsal>;
  /** The names of the plugin's policies. @throws CountersignError `not-found` unless `mayOperate` returns `true` */
  policies(request: { readonly principal: Principal }): Promise<readonly string[]>;
};
