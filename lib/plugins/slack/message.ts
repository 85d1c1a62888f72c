import { outcomeOf, type ReportedQuestion, summaryOf } from '../../channels/question-summary.ts';
import { visibleLine } from '../../channels/visible-line.ts';
import { cut, escaped, markedTime, markup, plain, slackTime, withTimes } from './block-text.ts';
import { actionIds, choicesOf, type Marks } from './choices.ts';
import type { SlackWords } from './slack-words.ts';

/** Slack's limits, in characters. */
const longest = { header: 150, section: 3_000, notification: 500, context: 1_000 };

/** The message of a question: its text for notifications and screen readers, its blocks, and the metadata by which it is found. */
export type SlackMessage = {
  readonly text: string;
  readonly blocks: readonly object[];
  readonly metadata: SlackMetadata;
};

/** By what a message is found. Other apps of the workspace can read it. */
export type SlackMetadata = {
  readonly event_type: string;
  readonly event_payload: Readonly<Record<string, string>>;
};

/** The metadata of a question's message. @param id of the question */
export function questionMetadata(id: string): SlackMetadata {
  return { event_type: 'countersign_question', event_payload: { question: id } };
}

/**
 * The message of a question, as it is now: with buttons while it is open, and then with its outcome. Everything that people, models
 * and tools wrote is plain text.
 *
 * @param options.url the page of the question
 * @source ADR 0051.1
 */
export function messageOf(
  question: ReportedQuestion & Marks,
  options: { readonly words: SlackWords; readonly url: string | undefined },
): SlackMessage {
  const { words, url } = options;
  const { title, sentence, risk, warnings, lines, hasMore, ...summary } = summaryOf(
    question,
    words,
    markedTime,
  );
  const isOpen = question.state === 'open';
  const body = [sentence, ...(isOpen ? [textOf(summary.arguments)] : [])];
  const evidence = isOpen ? [summary.effect && textOf([summary.effect]), ...warnings].filter(Boolean) : [];
  const hasChoices = isOpen && summary.options.length > 0;
  const choices = hasChoices ? [`${words.options}\n${textOf(summary.options)}`] : [];
  const texts = [...body, evidence.join('\n'), ...choices].filter((text) => text !== '');
  const isComplete = texts.every((text) => text.length <= longest.section);
  const notes = isOpen ? notesOf(question, { words, isComplete, hasMore }) : [];
  const needed = question.needsValue ? words.answerNeeded : words.approvalNeeded;
  const headline = isOpen ? `${needed}: ${title}` : `${outcomeOf(question, words)}: ${title}`;
  const open = url === undefined ? [] : [openButton(url, words)];
  const buttons = isOpen ? [...choicesOf(question, { words, isComplete }), ...open] : open;
  return {
    text: escaped(cut(`${headline}. ${sentence}`, longest.notification)),
    metadata: questionMetadata(question.id),
    blocks: [
      { type: 'header', text: plain(cut(headline, longest.header)) },
      ...texts.map((text) => ({ type: 'section', text: plain(cut(text, longest.section)) })),
      { type: 'context', elements: contextOf(question, risk, words) },
      ...lines.map((line) => ({ type: 'context', elements: [withTimes(line, longest.context)] })),
      ...notes.map((note) => ({ type: 'context', elements: [plain(note)] })),
      ...(buttons.length > 0 ? [{ type: 'actions', block_id: 'countersign', elements: buttons }] : []),
    ],
  };
}

/** A link that looks like a button. */
export function openButton(url: string, words: SlackWords) {
  return { type: 'button', action_id: actionIds.open, text: plain(words.open), url } as const;
}

/** The risk, who asked, when, the deadline and, after a denial, its reason. */
function contextOf(
  { askedBy, requestedAt, deadline, state, answer }: ReportedQuestion,
  risk: string | undefined,
  words: SlackWords,
) {
  return [
    ...(risk === undefined ? [] : [plain(cut(risk, longest.context))]),
    plain(cut(words.askedBy(visibleLine(askedBy.name)), longest.context)),
    markup(slackTime(requestedAt)),
    ...(state === 'open' && deadline !== undefined ? [markup(`⏳ ${slackTime(deadline)}`)] : []),
    ...(answer?.reason ? [plain(cut(`“${visibleLine(answer.reason)}”`, longest.context))] : []),
  ];
}

function notesOf(
  { needsInput, needsValue }: ReportedQuestion,
  { words, isComplete, hasMore }: { words: SlackWords; isComplete: boolean; hasMore: boolean },
): string[] {
  if (needsValue) return [words.needsAnswer];
  if (!isComplete) return [words.tooLong];
  if (needsInput) return [words.needsDetails];
  return hasMore ? [words.moreDetails] : [];
}

function textOf(groups: readonly { readonly heading?: string; readonly lines: readonly string[] }[]): string {
  return groups.map(({ heading, lines }) => [heading, ...lines].filter(Boolean).join('\n')).join('\n');
}
