import { answererName } from '../client/text/answerer-name.ts';
import { readableField } from '../client/text/readable-field.ts';
import { readableName } from '../client/text/readable-name.ts';
import { visibleText } from '../client/text/visible-text.ts';
import type { QuestionWords } from '../client/words/question-words.ts';
import { isRecord } from '../protocol/index.ts';
import type { SubscriptionEvent } from '../protocol/wire/subscription-event.ts';
import { type LineWords, questionLines } from './question-lines.ts';
import { visibleLine } from './visible-line.ts';

/** A question as a subscriber gets it. Times are ISO 8601. */
export type ReportedQuestion = Extract<SubscriptionEvent, { type: 'question.opened' }>['data']['question'];

/** The texts of messages that are also texts of the approval card. */
export type SummaryWords = Pick<
  QuestionWords,
  | 'risk'
  | 'history'
  | 'repeated'
  | 'earlier'
  | 'effect'
  | 'effectUnknown'
  | 'noArguments'
  | 'asWritten'
  | 'asRun'
  | 'settled'
  | 'by'
> &
  LineWords;

/** What a message says about a question. Characters that people cannot see are replaced by their names. */
export type QuestionSummary = {
  /** The tool's name for people. */
  readonly title: string;
  readonly sentence: string;
  readonly risk?: string;
  /** Earlier calls about the same subject, the same call within a day, and calls of the turn that failed. */
  readonly warnings: readonly string[];
  /** Groups of lines, such as `Amount: 30`. */
  readonly arguments: readonly LabelledLines[];
  readonly lines: readonly string[];
  /** What the options with other arguments would run, by their labels. */
  readonly options: readonly LabelledLines[];
  readonly effect?: LabelledLines;
  /** The effect has tables, lists or differences, which are not part of the summary. */
  readonly hasMore: boolean;
};

/** Lines with a heading; without one, they are the arguments as written and as run. */
type LabelledLines = { readonly heading?: string; readonly lines: readonly string[] };

/**
 * The texts of a message about a question, for any channel. They have no relative times, because a message is not redrawn. A message has
 * many readers, so it does not say whether one of them has voted.
 *
 * @param moment a time (ISO 8601) as text
 * @source ADR 0051.1
 */
export function summaryOf(
  { hasAnswered: _reader, ...question }: ReportedQuestion,
  words: SummaryWords,
  moment: (at: string) => string,
): QuestionSummary {
  const { title, toolName, description, risk, riskReason, preview } = question;
  const reason = riskReason === undefined ? '' : `: ${visibleLine(riskReason)}`;
  const parts = preview?.state === 'made' ? (preview.parts ?? []) : [];
  return {
    title: visibleLine(title ?? readableName(toolName)),
    sentence: visibleLine(description),
    risk: risk && `${words.risk(risk)}${reason}`,
    warnings: warningsOf(question, words),
    arguments: argumentsOf(question, words),
    lines: questionLines(question, words, moment),
    options: optionsOf(question, words),
    effect: preview && effectOf(preview, words),
    hasMore: parts.some(({ type }) => type !== 'totals'),
  };
}

/** How a question ended, and who decided: "Approved by Ada for Ben" if Ben had delegated the right to Ada. */
export function outcomeOf({ state, answer }: ReportedQuestion, words: SummaryWords): string {
  const outcome = visibleLine(words.settled({ state, answer }));
  if (!answer) return outcome;
  const who = answererName(answer, (person) => visibleLine(person?.name ?? ''), words);
  return `${outcome} ${words.by(who)}`;
}

function optionsOf({ options = [] }: ReportedQuestion, words: SummaryWords): LabelledLines[] {
  return options.flatMap(({ label, description, input, runsAs }) => {
    if (input === undefined) return [];
    const sentence = description === undefined ? [] : [visibleLine(description)];
    return [{ heading: visibleLine(label), lines: [...sentence, ...linesOf(runsAs ?? input, words)] }];
  });
}

function warningsOf({ history, repeatOf, earlier = [] }: ReportedQuestion, words: SummaryWords): string[] {
  const before =
    history &&
    words.history({
      subject: visibleLine(history.subject),
      count: history.count,
      denied: history.denied && { by: visibleLine(history.denied.by.name) },
    });
  // Why a call failed is for people who may see the chat.
  const failed = earlier.map(({ error: _error, ...call }) => visibleLine(words.earlier(call)));
  return [before, repeatOf && words.repeated(repeatOf.outcome), ...failed].filter(
    (text) => text !== undefined,
  );
}

function argumentsOf({ input, runsAs }: ReportedQuestion, words: SummaryWords): LabelledLines[] {
  if (runsAs === undefined) return [{ lines: linesOf(input, words) }];
  return [
    { heading: words.asWritten, lines: linesOf(input, words) },
    { heading: words.asRun, lines: linesOf(runsAs, words) },
  ];
}

function linesOf(value: unknown, words: SummaryWords): string[] {
  if (!isRecord(value)) return [readable(value)];
  const lines = Object.entries(value).map(
    ([name, field]) => `${readableField(visibleLine(name))}: ${readable(field)}`,
  );
  return lines.length > 0 ? lines : [words.noArguments];
}

/** One line. A text with a line break is written as JSON, so that it cannot look like another argument. */
function readable(value: unknown): string {
  const isPlain =
    typeof value === 'string' && value !== '' && value.trim() === value && !/[\n\r]/.test(value);
  return visibleText(isPlain ? value : (JSON.stringify(value) ?? 'undefined'));
}

function effectOf(preview: NonNullable<ReportedQuestion['preview']>, words: SummaryWords): LabelledLines {
  const heading = words.effect;
  if (preview.state === 'failed') return { heading, lines: [words.effectUnknown(preview.required === true)] };
  const totals = preview.parts?.flatMap((part) => (part.type === 'totals' ? part.totals : [])) ?? [];
  const lines = totals.map(({ label, value }) => `${visibleLine(label)}: ${readable(value)}`);
  return { heading, lines: [visibleLine(preview.summary), ...lines] };
}
