import { isPlainApproval } from '../../protocol/approval/plain-approval.ts';
import type { Question, QuestionOption } from '../question.ts';

/** The options of a question, by the buttons that they have. */
export type Choices = {
  /** What Approve stands for: the first option that approves the arguments as proposed, or else the first that approves. */
  readonly primary?: QuestionOption | undefined;
  /** What Deny stands for. Without it, Deny is a plain denial. */
  readonly denial?: QuestionOption | undefined;
  readonly others: readonly QuestionOption[];
};

/** @source ADR 0050 */
export function choicesOf({ options = [] }: Pick<Question, 'options'>): Choices {
  const approvals = options.filter(({ then }) => then === 'approve');
  const primary = approvals.find(isPlainApproval) ?? approvals[0];
  const denial = options.find(({ then }) => then === 'deny');
  return { primary, denial, others: options.filter((option) => option !== primary && option !== denial) };
}
