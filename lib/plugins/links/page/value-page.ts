import { type Html, html } from '../../../channels/html.ts';
import type { PageForm, Problems, Typed } from '../../../channels/page-form.ts';
import { visibleText } from '../../../client/text/visible-text.ts';
import { isRecord } from '../../../protocol/index.ts';
import type { AnswerLinkWords } from '../link-words.ts';
import type { LinkPage } from './document.ts';
import { factsOf, levelOf } from './evidence.ts';
import { linkTo } from './notice.ts';
import type { QuestionToShow } from './question-page.ts';
import { callArguments, sentence } from './values.ts';

/** What a page of a form needs besides the question. */
export type ValueToShow = {
  readonly form: PageForm;
  readonly typed: Typed;
  readonly reason: string | undefined;
  /** The token of the first form, for the button that declines. */
  readonly review: string;
  /** The address of the link. */
  readonly here: string;
};

/**
 * The second page of a question that needs a value: its form, which answers. A value that was rejected is shown again with its problems,
 * at the top and at their fields.
 *
 * @source ADR 0053
 */
export function valuePage(shown: QuestionToShow, value: ValueToShow, problems?: Problems): LinkPage {
  const { question, words, principal, form: token } = shown;
  const { form, typed, reason, review, here } = value;
  const { description, input, runsAs, risk, needsValue } = question;
  // The arguments of a running call's question are what its form begins with.
  const isQuoted = !needsValue || (isRecord(input) && description.includes(String(input.question)));
  const given =
    reason !== undefined && html`<p>${words.reason}: <q><bdi>${visibleText(reason)}</bdi></q></p>`;
  const hidden = (step: 'review' | 'confirm', made: string, answer: 'approve' | 'deny') =>
    html`<input type="hidden" name="step" value="${step}"><input type="hidden" name="form" value="${made}"><input type="hidden" name="answer" value="${answer}"><input type="hidden" name="reason" value="${reason ?? ''}">`;
  const content = html`${problems && summaryOf(form.problemItems(problems), words)}${levelOf(shown)}<h1><span>${words.youAnswer}</span> ${sentence(description, [input, runsAs])}</h1>${given}${factsOf(shown)}${!isQuoted && callArguments(input, words)}
<form method="post" accept-charset="utf-8">${hidden('confirm', token, 'approve')}<h2>${words.fillIn}</h2>${form.fields(typed, problems ?? new Map())}
<div class="actions"><button data-answer="approve">${words.sendValue}</button></div></form>
<form method="post" accept-charset="utf-8">${hidden('review', review, 'deny')}<div class="actions"><button data-answer="deny">${needsValue ? words.decline : words.deny}</button></div></form>
<p class="quiet"><bdi>${words.answeringAs(visibleText(principal.name))}</bdi></p><p>${linkTo(here, words.back)}</p>`;
  const title = problems ? words.problemSummary : words.page;
  return { status: problems ? 400 : 200, title, content, risk };
}

/** Lists every problem with a link to its field. The page opens at this list, and a screen reader begins there. */
function summaryOf(items: readonly Html[], words: AnswerLinkWords): Html {
  return html`<div class="note problems" role="alert" tabindex="-1" autofocus><p><strong>${words.problemSummary}</strong></p><p>${words.refused}</p>${items.length > 0 && html`<ul>${items}</ul>`}</div>`;
}
