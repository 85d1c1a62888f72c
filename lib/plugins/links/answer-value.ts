import type { PageForm, Problems, Typed } from '../../channels/page-form.ts';
import { CountersignError } from '../../protocol/errors/errors.ts';
import type { QuestionDetails } from '../../rights/question-rights.ts';
import type { LinkAnswer } from './form-token.ts';
import { laidOut } from './lay-out.ts';
import type { LinkServer, OpenLink } from './open-link.ts';
import { seeOther } from './page/document.ts';
import { valuePage } from './page/value-page.ts';

/** An approval that needs a value, on its way. */
type Answering = {
  readonly question: QuestionDetails;
  readonly answer: LinkAnswer;
  readonly form: PageForm;
};

/** The page with the form. @param typed what was typed before; without it, the form begins with its defaults */
export function showValuePage(
  server: LinkServer,
  opened: OpenLink,
  { question, answer, form }: Answering,
  again?: { readonly typed: Typed; readonly problems: Problems },
): Response {
  const { forms, words, clock } = server;
  const { link, principal, here } = opened;
  const token = forms.make({ link, principal, question, answer });
  const shown = { ...opened, question, words, now: clock.now(), form: token };
  const review = forms.make({ link, principal, question });
  const typed = again?.typed ?? form.begun;
  const value = { form, typed, reason: answer.reason, review, here };
  return laidOut(server, opened, question, () => valuePage(shown, value, again?.problems), answer);
}

/**
 * Answers with what was typed, by the same command as every other answer. A value that does not fit is shown again, and nothing is
 * recorded.
 *
 * @throws CountersignError as `flow.approvals.answer`, except `invalid-request` for the value; `invalid-request` for a control that the page does
 * not have
 * @source ADR 0053
 */
export async function answerWithValue(
  server: LinkServer,
  opened: OpenLink,
  answering: Answering,
  typed: Typed,
): Promise<Response> {
  const { answer, form } = answering;
  const { principal, link, here } = opened;
  const { value, problems } = form.read(typed);
  const again = (found: Problems) => showValuePage(server, opened, answering, { typed, problems: found });
  if (problems.size > 0) return again(problems);
  const { approvalId } = link;
  try {
    await server.kernel.approvals.answer({
      principal,
      approvalId,
      via: 'link',
      ...answer,
      [form.sentAs]: value,
    });
    return seeOther(here);
  } catch (error) {
    if (!CountersignError.is(error) || error.code !== 'invalid-request') throw error;
    return again(form.refused(error.fields.fieldErrors));
  }
}
