import { type ApprovalId, type ChatId, errorPlace, isPrincipal, type Principal } from '../protocol/index.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';

type Place = { readonly rule: string; readonly chatId: ChatId; readonly approvalId?: ApprovalId };

/**
 * Evaluates a rule, and logs a failing one.
 *
 * @returns false for what is no principal, and unless the rule returns `true`
 * @source ADR 0022
 */
export async function ruleAllows<Subject>(
  { logger }: FlowSettings,
  place: Place,
  principal: Principal,
  subject: Subject,
  rule: (principal: Principal, subject: Subject) => unknown,
): Promise<boolean> {
  if (!isPrincipal(principal)) return false;
  try {
    return (await rule(principal, subject)) === true;
  } catch (error) {
    logger?.error('A rule failed. It counts as a refusal.', { ...place, error: errorPlace(error) });
    return false;
  }
}
