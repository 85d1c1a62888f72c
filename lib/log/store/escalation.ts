import type { Question } from '../../protocol/approval/approvals.ts';

/** What escalation needs of a store. @source ADR 0048 */
export type EscalationStore = {
  /** Open questions whose `escalation.nextAt` is at or before `now`, the longest due first. */
  due(now: number, limit: number): Promise<Question[]>;
};
