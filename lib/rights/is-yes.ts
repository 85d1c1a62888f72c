import { type ApprovalId, type ChatId, errorPlace } from '../protocol/index.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';

/** Evaluates a rule. A failing rule is logged; otherwise nobody would learn why everybody is refused. */
export async function isYes(
  { logger }: FlowSettings,
  rule: string,
  ids: { readonly chatId: ChatId; readonly approvalId?: ApprovalId },
  ask: () => unknown,
): Promise<boolean> {
  try {
    return (await ask()) === true;
  } catch (error) {
    logger?.error('A rule failed. It counts as a refusal.', { rule, ...ids, error: errorPlace(error) });
    return false;
  }
}
