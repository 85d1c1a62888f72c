import type { AnswerRule } from '../approval/approvals.ts';
import type { ApprovalId, ToolCallId } from '../ids/ids.ts';
import type { Person } from '../principal.ts';
import type { RecordedApprover } from './recorded-approver.ts';

/**
 * A person's answer that leaves its question open, because a plugin waits for more people. The answer that settles it is
 * `approval-answered`. An event of the chat, or, when arguments were edited, of the run that asks again.
 *
 * @source ADR 0056
 */
export type RecordedAnswerBody = {
  type: 'answer-recorded';
  approvalId: ApprovalId;
  toolCallId: ToolCallId;
  approved: boolean;
  reason?: string;
  by: Person;
  /** Whose right it was, if `by` acted for another person. */
  onBehalfOf?: Person;
  via: string;
  /** The digest of the question that the person answered. */
  digest?: string;
  /** The effect that the person was shown, if the answer names it. */
  previewDigest?: string;
  /** Present when there is an audit record. */
  approver?: RecordedApprover;
  /** For the audit record: the rule that allowed this person to answer. */
  rule?: AnswerRule;
};
