import { CountersignError, redact } from '../../protocol/index.ts';
import { rememberSchema } from '../../protocol/wire/remember.ts';
import { mayStand } from '../../rights/rights-to.ts';
import { isAsker } from '../../rights/ruled-question.ts';
import { parseRequest } from '../../server/requests/parse-request.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { isGated } from '../../settings/plugin/gates.ts';
import type { KeptOfApproval, SaidApproval } from '../../settings/plugin/plugin-declaration.ts';
import { detailsOf, toolNamed } from '../../settings/tools/tool-details.ts';
import { coverageOf } from './coverage.ts';
import { recordOf } from './stored-approval.ts';

/**
 * What an approval asks to be remembered.
 *
 * @throws CountersignError `invalid-request` if it may not be remembered
 * @source ADR 0015
 */
export async function rememberApproval(
  said: unknown,
  approval: SaidApproval<FlowSettings>,
): Promise<KeptOfApproval> {
  const remember = parseRequest(rememberSchema, said);
  const why = whyNot(approval);
  const { settings, principal, question, input, makeId, standing } = approval;
  const { id: approvalId, chatId, toolName, title } = question;
  if (why !== undefined) {
    throw new CountersignError(
      'invalid-request',
      `The approval of question ${approvalId} cannot be remembered: ${why}. Answer without \`remembered\`.`,
      { approvalId },
    );
  }
  const { scope, match } = remember;
  const id = makeId();
  const covers = coverageOf({ personId: principal.id, chatId, toolName, input }, remember);
  const shown =
    match === 'exact-arguments' ? redact(input, detailsOf(settings, toolName).secrets?.input) : undefined;
  const stored = { approval: await standing({ id, covers }), scope, match, title, input: shown, uses: 0 };
  return { said: { grantId: id, scope, match }, records: [recordOf(stored)] };
}

function whyNot({ settings, principal, question, kind }: SaidApproval<FlowSettings>): string | undefined {
  const { toolName, executor } = question;
  const { remembered } = detailsOf(settings, toolName);
  if (remembered === false) return `each call of ${toolName} is asked about`;
  if (isGated(settings, question.plugins))
    return `several people may have to approve each call of ${toolName}`;
  if (executor === 'provider') return `the model's provider runs ${toolName}`;
  if (!isAsker(settings, principal, question))
    return 'only the person who asked for the call may have it remembered';
  if (kind !== 'approval' && kind !== 'edit') return 'it says more than yes';
  if (toolNamed(settings, toolName) === undefined) return `the tool ${toolName} no longer exists`;
  return mayStand(settings, question) ? undefined : 'its question needs an answer each time';
}
