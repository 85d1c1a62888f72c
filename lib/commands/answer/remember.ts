import {
  CountersignError,
  type EventOf,
  type JsonValue,
  type Principal,
  type Question,
  type RememberRequest,
} from '../../protocol/index.ts';
import { isAsker } from '../../rights/as-ruled.ts';
import { rightsTo } from '../../rights/rights-to.ts';
import type { Engine } from '../../run/engine.ts';
import { grantKey } from '../../run/question/grant-key.ts';
import { detailsOf } from '../../settings/tools/tool-details.ts';

/** The grant that an answer asks for. */
type Remembered = NonNullable<EventOf<'approval-answered'>['remembered']>;

/**
 * Checks what is to be remembered with an approval.
 *
 * @param input what will run: as proposed, or as edited
 * @throws CountersignError `invalid-request` if the approval may not be remembered
 * @source ADR 0015
 */
export async function rememberedWith(
  { settings, schemas, ids }: Engine,
  { principal, question, input }: { principal: Principal; question: Question; input: JsonValue },
  remember: RememberRequest,
): Promise<Remembered> {
  const { mayRemember } = await rightsTo(settings, principal, question);
  if (!mayRemember) throw refused(settings, principal, question);
  const { chatId, toolName } = question;
  const call = { personId: principal.id, chatId, toolName, input };
  const key = await grantKey({ settings, schemas }, call, remember);
  return { grantId: ids.grant(), ...remember, key };
}

function refused(settings: Engine['settings'], principal: Principal, question: Question): CountersignError {
  const { id: approvalId, toolName, executor } = question;
  const { neverRemember, approvals } = detailsOf(settings, toolName);
  const why = neverRemember
    ? `each call of ${toolName} is asked about`
    : approvals
      ? `several people must approve each call of ${toolName}`
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
