import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import { type ErrorCode, type Principal, parseApprovalId } from '../../protocol/index.ts';
import type { QuestionDetails } from '../../rights/question-rights.ts';
import { isCountersignError, nullIfNotFound } from '../../server/errors.ts';
import { parseDecision } from '../../server/requests/answers.ts';
import { questionJson } from '../../views/questions/question-json.ts';
import { outcomeOf } from '../question-summary.ts';
import type { SlackMessages } from './deliver.ts';
import { denyView } from './deny-form.ts';
import type { Interaction, Place } from './interaction.ts';
import type { SlackParts } from './slack-parts.ts';

/** What an interaction needs. */
export type Answering = SlackParts & { readonly flow: ApprovalFlow; readonly messages: SlackMessages };

/** Why nothing was recorded, for the person; `undefined` if the interaction had its effect. */
type Refusal = string | undefined;

/**
 * Handles an interaction of a known person. Every answer goes through `flow.answer`, with the digests of what the message showed. The
 * subscription shows the outcome in the message. After a refusal, the message shows the question as it is now.
 *
 * @throws SlackError; errors of the flow that are not refusals
 * @source ADR 0051.3
 */
export async function handleInteraction(
  parts: Answering,
  interaction: Interaction,
  principal: Principal,
): Promise<Refusal> {
  const { shown, place } = interaction;
  if (interaction.type === 'ask-reason') return askReason(parts, interaction, principal);
  const approvalId = parseApprovalId(shown.id);
  try {
    await parts.flow.answer({
      principal,
      approvalId,
      via: 'slack',
      ...(interaction.type === 'approve'
        ? { approved: true, ...(shown.effect !== undefined && { previewDigest: shown.effect }) }
        : parseDecision({ approved: false, ...(interaction.reason && { reason: interaction.reason }) })),
      ...(shown.digest !== undefined && { digest: shown.digest }),
    });
    return undefined;
  } catch (error) {
    const { code } = isCountersignError(error) ? error : {};
    if (code === undefined || !refusals.has(code)) throw error;
    const question = await showAsItIs(parts, principal, shown.id, place);
    return refusalText(parts, code, question);
  }
}

const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'already-answered',
  'superseded',
  'expired',
  'question-changed',
  'preview-changed',
  'input-mismatch',
  'forbidden',
  'not-found',
  'step-up-required',
  'paused',
  'invalid-request',
  'rate-limited',
]);

/** Opens the form for the reason, if the person may deny the question. */
async function askReason(
  parts: Answering,
  interaction: Extract<Interaction, { type: 'ask-reason' }>,
  principal: Principal,
): Promise<Refusal> {
  const { flow, api, words } = parts;
  const { shown, place, triggerId } = interaction;
  const question = await flow
    .approval({ principal, approvalId: parseApprovalId(shown.id) })
    .catch(nullIfNotFound);
  if (!question) return words.notYours;
  if (question.state !== 'open') {
    await showAsItIs(parts, principal, shown.id, place);
    return refusalText(parts, 'superseded', question);
  }
  if (!question.mayAnswer) return words.notYours;
  if (question.stepUp?.needed) return words.needsSignIn;
  const view = denyView({ shown, place }, words, question.reasonOnDeny === true);
  await api('views.open', { trigger_id: triggerId, view });
  return undefined;
}

/**
 * Shows the question as it is now in the message. It is read again afterwards: if it was decided meanwhile, its outcome may have been
 * overwritten.
 */
async function showAsItIs(
  { flow, messages }: Answering,
  principal: Principal,
  id: string,
  place: Place,
): Promise<QuestionDetails | null> {
  const read = () => flow.approval({ principal, approvalId: parseApprovalId(id) }).catch(nullIfNotFound);
  const question = await read();
  if (!question) return null;
  await messages.show(questionJson(question), place);
  const now = await read();
  if (!now || now.state === question.state) return question;
  await messages.show(questionJson(now), place);
  return now;
}

function refusalText({ words }: Answering, code: ErrorCode, question: QuestionDetails | null): string {
  if (question && question.state !== 'open') {
    const json = questionJson(question);
    return json.answer ? words.settledAlready(outcomeOf(json, words)) : words.gone;
  }
  switch (code) {
    case 'forbidden':
    case 'not-found':
      return words.notYours;
    case 'step-up-required':
      return words.needsSignIn;
    case 'paused':
      return words.paused(question?.paused?.reason ?? '');
    case 'preview-changed':
    case 'question-changed':
    case 'input-mismatch':
      return words.changed;
    default:
      return words.failed;
  }
}
