import { type Html, html } from '../../../channels/html.ts';
import { questionLines } from '../../../channels/question-lines.ts';
import { timeLeft } from '../../../client/text/time-left.ts';
import { visibleText } from '../../../client/text/visible-text.ts';
import type { QuestionDetails } from '../../../rights/question-rights.ts';
import type { AnswerLinkWords } from '../link-words.ts';
import { effectOf } from './effect.ts';
import { callArguments, isolated, sentence } from './values.ts';

/** What a page is made from. */
export type Shown = {
  readonly question: QuestionDetails;
  readonly words: AnswerLinkWords;
  /** Epoch milliseconds. */
  readonly now: number;
};

/** The top line, and a sentence that says what the call does. */
export function headingOf({ question, words }: Shown): Html {
  const { state, mayAnswer, position, risk, riskReason, description, input, runsAs } = question;
  const yours = question.needsValue ? words.valueKicker : words.kicker;
  const kicker = state !== 'open' ? words.settledKicker : mayAnswer ? yours : words.notYoursKicker;
  const place = state === 'open' && position && words.place(position);
  const reason = riskReason === undefined ? undefined : html`<bdi>: ${visibleText(riskReason)}</bdi>`;
  return html`<p class="kicker"><span>${kicker}</span>${place && html`<span>${place}</span>`}${risk && html`<span class="risk">${words.risk(risk)}${reason}</span>`}</p>
<h1>${sentence(description, [input, runsAs])}</h1>`;
}

/** The risk and its reason as the top line of a second page. */
export function levelOf({ question: { risk, riskReason }, words }: Shown): Html | undefined {
  const reason = riskReason !== undefined && html`<bdi>: ${visibleText(riskReason)}</bdi>`;
  return risk && html`<p class="kicker"><span class="risk">${words.risk(risk)}${reason}</span></p>`;
}

/** Which tool asks and for whom, when it was asked, and when the question expires. */
export function factsOf({ question, words, now }: Shown): Html {
  const { title, toolName, askedBy, requestedAt, deadline, state } = question;
  const tool = title === undefined ? undefined : html`<strong>${isolated(title)}</strong> `;
  const waiting =
    state === 'open' && html` <span class="quiet">${words.waiting(timeLeft(now - requestedAt))}</span>`;
  const expires =
    state === 'open' && deadline !== undefined && fact(words.expires, html`${time(deadline, words)}`);
  return html`<dl>${fact(words.tool, html`${tool}<code>${visibleText(toolName)}</code>`)}${fact(words.askedBy, isolated(askedBy.name))}${fact(words.askedAt, html`${time(requestedAt, words)}${waiting}`)}${expires}</dl>`;
}

/** Who has voted, who else may answer, and what happens if nobody does. */
export function linesOf({ question, words }: Shown): Html | undefined {
  const lines = questionLines(question, words, (at) => words.moment(new Date(at)));
  const shown = lines.map((line) => html`<p><bdi>${line}</bdi></p>`);
  return lines.length > 0 ? html`<div class="note" role="status">${shown}</div>` : undefined;
}

/** Earlier calls about the same subject, the same call within a day, and calls of the turn that failed before. */
export function warningsOf({ question, words, now }: Shown): Html {
  const { history, repeatOf, earlier = [] } = question;
  const since = (at: number | undefined) => (at === undefined ? undefined : timeLeft(now - at));
  const denied = history?.denied && {
    by: visibleText(history.denied.by.name),
    passed: since(history.denied.at),
  };
  const before =
    history &&
    words.history({
      subject: visibleText(history.subject),
      count: history.count,
      passed: history.lastAt === undefined ? undefined : timeLeft(now - history.lastAt),
      denied: denied?.passed && { by: denied.by, passed: denied.passed },
    });
  const repeat = repeatOf && words.repeated(repeatOf.outcome, timeLeft(now - repeatOf.at));
  const failed = earlier.map((call) => html`<li>${isolated(words.earlier(call))}</li>`);
  return html`${before && html`<p>${before}</p>`}${repeat && html`<p class="note">${repeat}</p>`}${failed.length > 0 && html`<ul>${failed}</ul>`}`;
}

/** The messages that led to the question, if the person may see them. */
export function contextOf({ question: { context, askedBy }, words }: Shown): Html | undefined {
  if (!context?.message && !context?.said) return undefined;
  const { message, said } = context;
  const saying = (by: string, text: string | undefined) =>
    text && html`<p><strong>${isolated(by)}</strong> <q>${isolated(text)}</q></p>`;
  return html`<section><h2>${words.context}</h2>${saying(askedBy.name, message)}${saying(words.assistant, said)}</section>`;
}

/** The arguments (as written and as run, if the two differ) and, while the question is open, the effect. */
export function evidenceOf({ question, words }: Shown): Html {
  const { input, runsAs } = question.answer?.input === undefined ? question : question.answer;
  const written = callArguments(input, words);
  const shown =
    runsAs === undefined
      ? html`<h2>${words.request}</h2>${written}`
      : html`<h2>${words.asWritten}</h2>${written}<h2>${words.asRun}</h2>${callArguments(runsAs, words)}`;
  return html`<section>${shown}</section>${question.state === 'open' && effectOf(question, words)}`;
}

/** A time, for people and in machine-readable form. @param at epoch milliseconds */
export function time(at: number, words: AnswerLinkWords): Html {
  const moment = new Date(at);
  return html`<time datetime="${moment.toISOString()}">${words.moment(moment)}</time>`;
}

function fact(name: string, value: Html): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}
