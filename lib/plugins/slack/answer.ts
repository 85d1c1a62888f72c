import { outcomeOf } from '../../channels/question-summary.ts';
import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import { CountersignError } from '../../protocol/errors/errors.ts';
import { type ErrorCode, isSameJson, type Principal, parseApprovalId } from '../../protocol/index.ts';
import type { QuestionDetails } from '../../rights/question-rights.ts';
import { nullIfNotFound } from '../../server/errors.ts';
import { parseAnswer } from '../../server/requests/answers.ts';
import { questionJson } from '../../views/questions/question-json.ts';
import type { SlackMessages } from './deliver.ts';
import { denyView } from './deny-form.ts';
import type { Interaction, Place } from './interaction.ts';
import type { SlackParts } from './slack-parts.ts';

/** What an interaction needs. */
export type Answering = SlackParts & { readonly flow: ApprovalFlow; readonly messages: SlackMessages };

/**
 * What only the person sees: why nothing was recorded, or that a vote counts. `undefined` if the interaction had its effect, and the
 * message will show it.
 */
export type Notice = { readonly text: string; readonly isRefusal: boolean } | undefined;

/**
 * Handles an interaction of a known person. Every answer goes through `flow.approvals.answer`, with the digests of what the message showed. The
 * subscription shows the outcome in the message. After a refusal, the message shows the question as it is now.
 *
 * @throws SlackError; errors of the flow that are not refusals
 * @source ADR 0051.3
 */
export async function handleInteraction(
  parts: Answering,
  interaction: Interaction,
  principal: Principal,
): Promise<Notice> {
  if (interaction.type === 'ask-reason') return askReason(parts, interaction, principal);
  const { shown, place } = interaction;
  const approvalId = parseApprovalId(shown.id);
  // The same vote again would be accepted, without any effect.
  const before = await parts.flow.approvals.read({ principal, approvalId }).catch(nullIfNotFound);
  if (before?.hasAnswered) return refused(parts.words.answeredAlready);
  try {
    const answered = await parts.flow.approvals.answer({
      principal,
      approvalId,
      via: 'slack',
      option: shown.option,
      ...(interaction.type === 'approve'
        ? { approved: true, previewDigest: shown.effect }
        : parseAnswer({ approved: false, reason: interaction.reason || undefined })),
      digest: shown.digest,
    });
    if (answered.state !== 'open') return undefined;
    const question = await showAsItIs(parts, principal, shown.id, place);
    return question?.state === 'open' ? waitsForOthers(parts) : undefined;
  } catch (error) {
    const { code } = CountersignError.is(error) ? error : {};
    if (code === undefined || !refusals.has(code)) throw error;
    const question = await showAsItIs(parts, principal, shown.id, place);
    return refused(refusalText(parts, code, question));
  }
}

function refused(text: string): Notice {
  return { text, isRefusal: true };
}

/** The answer was recorded, and the question is open. */
function waitsForOthers({ words }: Answering): Notice {
  return { text: words.waitsForOthers, isRefusal: false };
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
  'plugin-missing',
  'invalid-request',
  'rate-limited',
]);

/** Opens the form for the reason, if the person may deny the question. */
async function askReason(
  parts: Answering,
  interaction: Extract<Interaction, { type: 'ask-reason' }>,
  principal: Principal,
): Promise<Notice> {
  const { flow, api, words } = parts;
  const { shown, place, triggerId } = interaction;
  const question = await flow.approvals
    .read({ principal, approvalId: parseApprovalId(shown.id) })
    .catch(nullIfNotFound);
  if (!question) return refused(words.notYours);
  if (question.state !== 'open') {
    await showAsItIs(parts, principal, shown.id, place);
    return refused(refusalText(parts, 'superseded', question));
  }
  if (question.hasAnswered) return refused(words.answeredAlready);
  if (!question.mayAnswer) return refused(words.notYours);
  if (question.stepUp?.needed) return refused(words.needsSignIn);
  const view = denyView({ shown, place }, words, question.reasonOnDeny === true);
  await api('views.open', { trigger_id: triggerId, view });
  return undefined;
}

/**
 * Shows the question as it is now in the message. It is read again afterwards: what
 * has changed since may have been overwritten.
 */
async function showAsItIs(
  { flow, messages }: Answering,
  principal: Principal,
  id: string,
  place: Place,
): Promise<QuestionDetails | null> {
  const read = () =>
    flow.approvals.read({ principal, approvalId: parseApprovalId(id) }).catch(nullIfNotFound);
  const question = await read();
  if (!question) return null;
  await messages.show(questionJson(question), place);
  const now = await read();
  if (!now || isSameJson(questionJson(now), questionJson(question))) return question;
  await messages.show(questionJson(now), place);
  return now;
}

function refusalText({ words }: Answering, code: ErrorCode, question: QuestionDetails | null): string {
  if (question && question.state !== 'open') {
    const json = questionJson(question);
    return json.answer ? words.settledAlready(outcomeOf(json, words)) : words.gone;
  }
  switch (code) {
    case 'already-answered':
      return words.answeredAlready;
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
