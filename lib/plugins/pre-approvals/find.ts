import type { FlowSettings } from '../../settings/flow-settings.ts';
import type { StandingClaim, StandingQuestion } from '../../settings/plugin/plugin-declaration.ts';
import { detailsOf } from '../../settings/tools/tool-details.ts';
import { onlyWhenDue } from './only-when-due.ts';
import { isAbout } from './shown.ts';
import { standingPreApproval } from './standing.ts';

/** The pre-approval of a call that is due, if nothing has changed since it was given. @source ADR 0041 */
export async function findPreApproval(
  due: StandingQuestion<FlowSettings>,
): Promise<readonly StandingClaim[]> {
  const { settings, turn, call, question, pauses, now } = due;
  const given = standingPreApproval(turn, call);
  if (!given) return [];
  const { approval, risk, at } = given;
  if (!isAbout({ covers: approval.covers, risk }, question)) return [];
  await pauses.ready();
  if (onlyWhenDue({ settings, pauses }, turn, call, question)) return [];
  const { approvalValidForMs = settings.approvalValidForMs } = detailsOf(settings, question.toolName);
  if (approvalValidForMs !== undefined && now - at > approvalValidForMs) return [];
  // The person who approved did not know that the same call would run before.
  if (await due.repeatOf()) return [];
  return [{ approval, records: [], reason: `${approval.by.name} pre-approved this.` }];
}
