import type { Question, QuestionOption } from '../../../../client/question.ts';
import { isPlainApproval } from '../../../../protocol/approval/plain-approval.ts';
import type { Choices } from '../../../../react/plugins/card-plugin.ts';

/**
 * Approve stands for the first option that approves the arguments as proposed, or else for the first that approves. Deny stands
 * for the first that denies.
 *
 * @source ADR 0050
 */
export function choicesOf({ options = [] }: Pick<Question, 'options'>): Choices & {
  /** The options that have a button each. */
  readonly others: readonly QuestionOption[];
} {
  const approvals = options.filter(({ then }) => then === 'approve');
  const primary = approvals.find(isPlainApproval) ?? approvals[0];
  const denial = options.find(({ then }) => then === 'deny');
  return { primary, denial, others: options.filter((option) => option !== primary && option !== denial) };
}
