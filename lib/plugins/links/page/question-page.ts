import { type Html, html } from '../../../channels/html.ts';
import type { PageForm } from '../../../channels/page-form.ts';
import { answererName } from '../../../client/text/answerer-name.ts';
import { visibleText } from '../../../client/text/visible-text.ts';
import type { Principal } from '../../../protocol/index.ts';
import { asksForValue } from '../form-token.ts';
import type { LinkPage } from './document.ts';
import {
  contextOf,
  evidenceOf,
  factsOf,
  headingOf,
  linesOf,
  type Shown,
  time,
  warningsOf,
} from './evidence.ts';
import { linkTo, type NoticeLinks } from './notice.ts';
import { optionButtons, optionDetails } from './options.ts';

/** A question that is shown, the person who would answer it, and where else it can be answered. */
export type QuestionToShow = Shown & {
  readonly principal: Principal;
  /** True if the link alone is the credential. */
  readonly isCredential: boolean;
  readonly links: NoticeLinks;
  /** The token for the form. */
  readonly form: string;
};

/** An open question, and the form that an approval needs, if it needs one and there is one. */
export type AnswerableQuestion = QuestionToShow & { readonly valueForm: PageForm | undefined };

/** The longest reason, in characters. @source ADR 0002.3 */
export const longestReason = 2_000;

/** The note that says why an answer was not accepted, the status of the response, and the reason that the person wrote. */
export type Refused = {
  readonly note: string;
  readonly status: number;
  readonly reason?: string | undefined;
};

/** An open question with two buttons, which open the page that asks for confirmation. */
export function questionPage(shown: AnswerableQuestion, refused?: Refused): LinkPage {
  const { question, words } = shown;
  const { note, status = 200, reason } = refused ?? {};
  const content = html`${note !== undefined && html`<p class="note" role="alert">${note}</p>`}${headingOf(shown)}${factsOf(shown)}${linesOf(shown)}${warningsOf(shown)}${contextOf(shown)}${evidenceOf(shown)}${answers(shown, reason)}`;
  return { status, title: words.page, content, risk: question.risk };
}

/** A question that is no longer open: its outcome, and who decided. */
export function outcomePage(shown: Omit<QuestionToShow, 'form'>): LinkPage {
  const { question, words, links } = shown;
  const { state, answer } = question;
  const wire = answer && { ...answer, at: new Date(answer.at).toISOString() };
  const outcome = words.settled({ state, answer: wire });
  const source = answer && words.via(answer.via);
  const by =
    answer &&
    html` ${isolatedBy(words.by(answererName(answer, (person) => visibleText(person?.name ?? ''), words)))}, ${time(answer.at, words)}${source && `, ${source}`}`;
  const reason = answer?.reason && html`: <q><bdi>${visibleText(answer.reason)}</bdi></q>`;
  const isReplaced = state === 'tool-changed' || state === 'asked-again';
  const again = isReplaced && html`<p>${words.askedAgain}</p>`;
  const inbox = links.inbox !== undefined && html`<p>${linkTo(links.inbox, words.openInbox)}</p>`;
  const content = html`${headingOf(shown)}<p class="note" role="status"><strong>${outcome}</strong>${by}${reason}</p>${again}${factsOf(shown)}${linesOf(shown)}${evidenceOf(shown)}${inbox}`;
  return { status: answer ? 200 : 410, title: words.page, content };
}

/** The form with the two buttons, or why this person cannot answer here. */
function answers(shown: AnswerableQuestion, reason = ''): Html {
  const { question, words, links, principal, isCredential, valueForm: form } = shown;
  const inbox = links.inbox !== undefined && html`<p>${linkTo(links.inbox, words.openInbox)}</p>`;
  if (question.hasAnswered) {
    return inbox || html``;
  }
  if (!question.mayAnswer) {
    const who = question.whoMayAnswer === undefined ? words.notYours : visibleText(question.whoMayAnswer);
    return html`<p class="note"><bdi>${who}</bdi></p>${inbox}`;
  }
  if (question.stepUp?.needed) return html`<p class="note">${words.needsSignIn}</p>${inbox}`;
  const { outdated, paused, needsValue, options, onBehalfOf } = question;
  const notes = [
    onBehalfOf && words.answersFor(visibleText(onBehalfOf.name)),
    outdated && words.outdated,
    paused && words.paused(visibleText(paused.reason)),
    asksForValue(question) && !form && words.needsDetails,
  ].flatMap((found) => (found ? [html`<p class="note">${found}</p>`] : []));
  const approval = question.risk === 'high' ? words.approveHighRisk : words.approve;
  const label = form ? words.fillInHere : approval;
  const mayApprove = mayApproveHere(question, form);
  const approve =
    mayApprove && html`<button name="answer" value="approve" data-answer="approve">${label}</button>`;
  const deny = html`<button name="answer" value="deny" data-answer="deny">${needsValue ? words.decline : words.deny}</button>`;
  const buttons = options ? optionButtons(options, { deny, mayApprove }) : html`${deny}${approve}`;
  const hint = question.reasonOnDeny ? words.reasonOnDenyHint : words.reasonHint;
  return html`${notes}
<form method="post" accept-charset="utf-8"><input type="hidden" name="step" value="review"><input type="hidden" name="form" value="${shown.form}">
<label for="reason">${words.reason} <span class="quiet">${hint}</span></label><textarea id="reason" name="reason" maxlength="${longestReason}">
${reason}</textarea>
${options && optionDetails(question, words)}<div class="actions">${buttons}</div></form>
<p class="quiet">${form && mayApprove ? words.fillInNext : words.twoSteps} <bdi>${words.answeringAs(visibleText(principal.name))}</bdi>${isCredential && ` ${words.keepPrivate}`}</p>${inbox}`;
}

/**
 * True if the page shows the button that approves. `flow.approvals.answer` checks the answer again. A form that the page cannot show must not be
 * accepted with its defaults here.
 */
export function mayApproveHere(question: Shown['question'], form: PageForm | undefined): boolean {
  const { outdated, paused, preview } = question;
  const isUnknown = preview?.state === 'failed' && preview.required === true;
  const isMissingForm = asksForValue(question) && !form;
  return !outdated && !paused && !isMissingForm && !isUnknown;
}

function isolatedBy(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}
