import type { Engine } from '../../run/engine.ts';
import { type GiveRequest, givePreApprovals } from './give.ts';
import { readUpcoming, type UpcomingCall, type UpcomingRequest } from './upcoming.ts';

/** Approvals of calls whose questions are not due yet. */
export type PreApprovals = {
  /**
   * The calls of the same step that will be asked about after an open question, in order. Contains those of
   * the next 100 whose questions this principal may answer.
   *
   * @throws CountersignError `not-found`; as `answer` for a question that is not open
   * @source ADR 0041
   */
  upcoming(request: UpcomingRequest): Promise<readonly UpcomingCall[]>;
  /**
   * Pre-approves upcoming calls, or revokes such approvals: all of them or, if one is refused, none.
   * An approval covers only its call, as it was shown. When the question is due, the approval replaces it if
   * nothing has changed. Otherwise, the question is asked.
   *
   * @returns the resulting list of upcoming calls
   * @throws CountersignError `not-found` for an unknown question or call; as `answer` for a question that is not open;
   * `question-changed` if a call is not what was shown; `paused`; `invalid-request` for a call that can be approved only when
   * its question is due
   * @source ADR 0041
   */
  give(request: GiveRequest): Promise<readonly UpcomingCall[]>;
};

/** @see PreApprovals */
export function createMethods(engine: Engine): PreApprovals {
  return {
    upcoming: (request) => readUpcoming(engine, request),
    give: (request) => givePreApprovals(engine, request),
  };
}
