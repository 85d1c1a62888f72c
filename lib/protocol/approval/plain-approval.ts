import type { OptionJson } from '../wire/question.ts';

/** Whether an option approves the arguments as proposed. A plain approval chooses the first one. @source ADR 0050 */
export function isPlainApproval({ then, input }: Pick<OptionJson, 'then' | 'input'>): boolean {
  return then === 'approve' && input === undefined;
}
