import type { Typed } from '../../channels/page-form.ts';
import { CountersignError } from '../../protocol/errors/errors.ts';
import type { ErrorCode } from '../../protocol/index.ts';
import type { QuestionDetails } from '../../rights/question-rights.ts';
import { answerWithValue, showValuePage } from './answer-value.ts';
import { asksForValue, type LinkAnswer } from './form-token.ts';
import { laidOut } from './lay-out.ts';
import { formOf, type LinkServer, type OpenLink, questionOf, shownQuestion } from './open-link.ts';
import { confirmPage } from './page/confirm-page.ts';
import { seeOther } from './page/document.ts';
import { mayApproveHere } from './page/question-page.ts';
import { type PressedButton, readForm } from './read-form.ts';

/**
 * Handles the forms of the page. The first form opens the page that asks for confirmation, or for the value that an approval needs. The
 * second form answers, with the same command as all other answers. If what was shown has changed, the question is shown again.
 *
 * @throws CountersignError as `readForm` and `approvals.read`
 * @source ADR 0045, ADR 0053
 */
export async function answerByForm(
  server: LinkServer,
  opened: OpenLink,
  request: Request,
): Promise<Response> {
  const { forms, words } = server;
  const { step, form, answer: given, typed } = await readForm(request);
  const question = await questionOf(server, opened);
  // After a second click, too: the page shows the outcome of the first one.
  if (question.state !== 'open') return seeOther(opened.here);
  const answer = answerOf(question, given);
  if (!answer) return shownAgain(server, opened, question, given);
  const { link, principal } = opened;
  const bound = { link, principal, question, answer: step === 'confirm' ? answer : undefined };
  if (!forms.fits(form, bound)) return shownAgain(server, opened, question, answer);
  try {
    return step === 'confirm'
      ? await submit(server, opened, question, answer, typed)
      : await review(server, opened, question, answer);
  } catch (error) {
    const { code } = CountersignError.is(error) ? error : {};
    if (code === undefined || !shownRefusals.has(code)) throw error;
    const now = await questionOf(server, opened);
    if (now.state !== 'open') return seeOther(opened.here);
    const note = code === 'preview-changed' ? words.changedSince : words.refused;
    return shownQuestion(server, opened, now, {
      note,
      status: statuses[code] ?? 409,
      reason: answer.reason,
    });
  }
}

/** Refusals of an answer after which the question is shown again, with a note. */
const shownRefusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'already-answered',
  'superseded',
  'expired',
  'question-changed',
  'preview-changed',
  'forbidden',
  'step-up-required',
  'paused',
  'plugin-missing',
  'input-mismatch',
  'invalid-request',
]);

const statuses: Partial<Record<ErrorCode, number>> = {
  forbidden: 403,
  'step-up-required': 403,
  'invalid-request': 400,
};

/** The answer of a button; `undefined` if the question has no such option. */
function answerOf({ options }: QuestionDetails, given: PressedButton): LinkAnswer | undefined {
  const { approved, option: id } = given;
  if (id === undefined) return approved === undefined ? undefined : { ...given, approved };
  const option = options?.find((each) => each.id === id);
  return option && { ...given, approved: option.then === 'approve' };
}

/** The page that asks for confirmation or for a value. An effect that is too old is determined again first. */
async function review(
  server: LinkServer,
  opened: OpenLink,
  question: QuestionDetails,
  answer: LinkAnswer,
): Promise<Response> {
  const { kernel, forms, words, clock } = server;
  const { principal, here, link } = opened;
  // The effect of the question is that of its own arguments.
  const option = question.options?.find(({ id }) => id === answer.option);
  const hasEffect = answer.approved && question.preview && option?.input === undefined;
  if (!question.mayAnswer || question.stepUp?.needed) {
    return shownQuestion(server, opened, question, {
      ...{ note: words.refused, status: 403, reason: answer.reason },
    });
  }
  if (hasEffect) await kernel.approvals.preview({ principal, approvalId: link.approvalId });
  const current = hasEffect ? await questionOf(server, opened) : question;
  const isSame =
    forms.make({ link, principal, question }) === forms.make({ link, principal, question: current });
  if (!isSame || (answer.approved && !mayApproveHere(current, formOf(server, current))))
    return shownAgain(server, opened, current, answer);
  const value = answer.approved ? formOf(server, current) : undefined;
  if (value) return showValuePage(server, opened, { question: current, answer, form: value });
  const form = forms.make({ link, principal, question: current, answer });
  const shown = { ...opened, question: current, words, now: clock.now(), form };
  return laidOut(server, opened, current, () => confirmPage(shown, answer, here), answer);
}

/** Answers, and redirects to the link, which shows the outcome. */
async function submit(
  server: LinkServer,
  opened: OpenLink,
  question: QuestionDetails,
  answer: LinkAnswer,
  typed: Typed,
): Promise<Response> {
  const form = answer.approved ? formOf(server, question) : undefined;
  if (form) return answerWithValue(server, opened, { question, answer, form }, typed);
  // Another instance has shown a form that this one lacks.
  if (answer.approved && asksForValue(question)) return shownAgain(server, opened, question, answer);
  const { principal, link, here } = opened;
  const { preview, options } = question;
  const { approvalId } = link;
  const isPlain = options?.find(({ id }) => id === answer.option)?.input === undefined;
  const isShown = answer.approved && isPlain && preview?.state === 'made';
  const effect = isShown ? { previewDigest: preview.digest } : {};
  await server.kernel.approvals.answer({ principal, approvalId, via: 'link', ...answer, ...effect });
  return seeOther(here);
}

/** The question as it is now, with a note that nothing was recorded. */
function shownAgain(
  server: LinkServer,
  opened: OpenLink,
  question: QuestionDetails,
  { reason }: Pick<LinkAnswer, 'reason'>,
): Response {
  const { words } = server;
  if (question.state !== 'open') return seeOther(opened.here);
  // A form is only shown to people who may fill it in, so without that right the token does not fit either.
  if (!question.mayAnswer && !question.hasAnswered)
    return shownQuestion(server, opened, question, { note: words.refused, status: 403, reason });
  return shownQuestion(server, opened, question, { note: words.changedSince, status: 409, reason });
}
