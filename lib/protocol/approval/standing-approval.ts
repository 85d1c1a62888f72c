import type { ApprovalId, GrantId } from '../ids/ids.ts';
import type { Person } from '../principal.ts';

/**
 * A person's answer that also approves later calls. A plugin keeps it, and names it when such a call is due. The seal covers all
 * other fields.
 *
 * @source ADR 0056
 */
export type StandingApproval = {
  readonly id: GrantId;
  /** The person who answered. */
  readonly by: Person;
  /** The question that was answered. */
  readonly approvalId: ApprovalId;
  readonly toolName: string;
  /** A digest of the tool as it was then: what people see of it, and its limits. */
  readonly definition: string;
  /** Which calls of the tool it covers, as the plugin writes it. */
  readonly covers: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Proves that the person answered. Present if the flow has an audit key. Never shown. */
  readonly seal?: string;
};
