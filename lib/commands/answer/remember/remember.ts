import { CountersignError, type Principal, type Question } from '../../../protocol/index.ts';
import { mayRemember } from '../../../rights/rights-to.ts';
import { isAsker } from '../../../rights/ruled-question.ts';
import type { Engine } from '../../../run/engine.ts';
import { grantKey } from '../../../run/question/grant-key.ts';
import { isGated } from '../../../settings/plugin/gates.ts';
import { detailsOf } from '../../../settings/tools/tool-details.ts';
import type { Approving, Found } from '../answering.ts';

/**
 * What an approval asks to be remembered.
 *
 * @throws CountersignError `invalid-request` if it may not be remembered
 * @source ADR 0015
 */
export async function rememberApproval(answering: Approving): Promise<Found | undefined> {
  const { engine, answer, principal, question, prepared, call } = answering;
  const { remember } = answer;
  if (!remember) return undefined;
  const { settings, schemas, ids } = engine;
  if (!mayRemember(settings, principal, question)) throw refused(settings, principal, question);
  const { chatId, toolName } = question;
  const input = prepared?.written?.input ?? call.requested.input;
  const key = await grantKey(
    { settings, schemas },
    { personId: principal.id, chatId, toolName, input },
    remember,
  );
  return { remembered: { grantId: ids.grant(), ...remember, key } };
}

function refused(settings: Engine['settings'], principal: Principal, question: Question): CountersignError {
  const { id: approvalId, toolName, executor } = question;
  const { neverRemember } = detailsOf(settings, toolName);
  const why = neverRemember
    ? `each call of ${toolName} is asked about`
    : isGated(settings, question.plugins)
      ? `several people may have to approve each call of ${toolName}`
      : executor === 'provider'
        ? `the model's provider runs ${toolName}`
        : isAsker(settings, principal, question)
          ? `the tool ${toolName} no longer exists`
          : 'only the person who asked for the call may have it remembered';
  return new CountersignError(
    'invalid-request',
    `The approval of question ${approvalId} cannot be remembered: ${why}. Answer without \`remember\`.`,
    { approvalId },
  );
}
