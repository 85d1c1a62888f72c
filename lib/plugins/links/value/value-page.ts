import { type Html, html } from '../../../channels/html.ts';
import type { FieldProblem } from '../../../client/form/read-draft.ts';
import { visibleText } from '../../../client/text/visible-text.ts';
import type { FieldPath } from '../../../protocol/field-path.ts';
import { isRecord } from '../../../protocol/index.ts';
import type { AnswerLinkWords } from '../link-words.ts';
import type { LinkPage } from '../page/document.ts';
import { factsOf, levelOf } from '../page/evidence.ts';
import { linkTo } from '../page/notice.ts';
import type { QuestionToShow } from '../page/question-page.ts';
import { callArguments, sentence } from '../page/values.ts';
import type { Typed } from './read-typed.ts';
import { fieldHtml, labelOf, type ShownField } from './value-fields.ts';
import type { ValueForm } from './value-form.ts';

/** What a page of a form needs besides the question. */
export type ValueToShow = {
  readonly form: ValueForm;
  readonly typed: Typed;
  readonly reason: string | undefined;
  /** The token of the first form, for the button that declines. */
  readonly review: string;
  /** The address of the link. */
  readonly here: string;
};

/** Why the answer was not accepted, by field. One at the path `''` may be about the whole value; none if there is no more to say. */
export type Problems = ReadonlyMap<FieldPath, FieldProblem>;

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
  const fields = form.fields.map(
    (field, index): ShownField => ({
      ...field,
      id: `field-${index}`,
      typed: typed.get(field.path) ?? '',
      problem: problems?.get(field.path),
    }),
  );
  const given =
    reason !== undefined && html`<p>${words.reason}: <q><bdi>${visibleText(reason)}</bdi></q></p>`;
  const hidden = (step: 'review' | 'confirm', made: string, answer: 'approve' | 'deny') =>
    html`<input type="hidden" name="step" value="${step}"><input type="hidden" name="form" value="${made}"><input type="hidden" name="answer" value="${answer}"><input type="hidden" name="reason" value="${reason ?? ''}">`;
  const content = html`${problems && summaryOf(problems, fields, words)}${levelOf(shown)}<h1><span>${words.youAnswer}</span> ${sentence(description, [input, runsAs])}</h1>${given}${factsOf(shown)}${!isQuoted && callArguments(input, words)}
<form method="post" accept-charset="utf-8">${hidden('confirm', token, 'approve')}<h2>${words.fillIn}</h2>${fields.map((field) => fieldHtml(field, words))}
<div class="actions"><button data-answer="approve">${words.sendValue}</button></div></form>
<form method="post" accept-charset="utf-8">${hidden('review', review, 'deny')}<div class="actions"><button data-answer="deny">${needsValue ? words.decline : words.deny}</button></div></form>
<p class="quiet"><bdi>${words.answeringAs(visibleText(principal.name))}</bdi></p><p>${linkTo(here, words.back)}</p>`;
  const title = problems ? words.problemSummary : words.page;
  return { status: problems ? 400 : 200, title, content, risk };
}

/** Lists every problem with a link to its field. The page opens at this list, and a screen reader begins there. */
function summaryOf(problems: Problems, fields: readonly ShownField[], words: AnswerLinkWords): Html {
  const items = [...problems].map(([path, problem]) => {
    const field = fields.find((one) => one.path === path);
    const text = visibleText(words.problem(problem));
    if (!field) return html`<li><bdi>${text}</bdi></li>`;
    return html`<li><a href="#${field.id}"><bdi>${labelOf(field, words)}: ${text}</bdi></a></li>`;
  });
  return html`<div class="note problems" role="alert" tabindex="-1" autofocus><p><strong>${words.problemSummary}</strong></p><p>${words.refused}</p>${items.length > 0 && html`<ul>${items}</ul>`}</div>`;
}
