import { visibleText } from '../../client/visible-text.ts';
import { outcomeOf, type ReportedQuestion, summaryOf } from '../question-summary.ts';
import { cut, escaped, markup, plain, slackTime } from './block-text.ts';
import { actionIds, choicesOf, type Marks } from './choices.ts';
import type { SlackWords } from './slack-words.ts';

/** Slack's limits, in characters. */
const longest = { header: 150, section: 3_000, notification: 500, context: 1_000 };

/** The message of a question: its text for notifications and screen readers, its blocks, and the metadata by which it is found. */
export type SlackMessage = {
  readonly text: string;
  readonly blocks: readonly object[];
  readonly metadata: { readonly event_type: string; readonly event_payload: { readonly question: string } };
};

/** The type in the metadata of messages. */
export const metadataType = 'countersign_question';

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
  const { title, sentence, risk, warnings, hasMore, ...summary } = summaryOf(question, words);
  const isOpen = question.state === 'open';
  const body = [sentence, ...(isOpen ? [textOf(summary.arguments)] : [])];
  const evidence = isOpen ? [summary.effect && textOf([summary.effect]), ...warnings].filter(Boolean) : [];
  const texts = [...body, evidence.join('\n')].filter((text) => text !== '');
  const isComplete = texts.every((text) => text.length <= longest.section);
  const notes = isOpen ? notesOf(question, { words, isComplete, hasMore }) : [];
  const headline = isOpen ? `${words.approvalNeeded}: ${title}` : `${outcomeOf(question, words)}: ${title}`;
  const open = url === undefined ? [] : [openButton(url, words)];
  const buttons = isOpen ? [...choicesOf(question, { words, isComplete }), ...open] : open;
  return {
    text: escaped(cut(`${headline}. ${sentence}`, longest.notification)),
    metadata: { event_type: metadataType, event_payload: { question: question.id } },
    blocks: [
      { type: 'header', text: plain(cut(headline, longest.header)) },
      ...texts.map((text) => ({ type: 'section', text: plain(cut(text, longest.section)) })),
      { type: 'context', elements: contextOf(question, risk, words) },
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
  const asked = `${escaped(words.askedBy(visibleText(askedBy.name)))}, ${slackTime(requestedAt)}`;
  return [
    ...(risk === undefined ? [] : [plain(cut(risk, longest.context))]),
    markup(asked),
    ...(state === 'open' && deadline !== undefined ? [markup(`⏳ ${slackTime(deadline)}`)] : []),
    ...(answer?.reason ? [plain(cut(`“${visibleText(answer.reason)}”`, longest.context))] : []),
  ];
}

function notesOf(
  { needsInput }: ReportedQuestion,
  { words, isComplete, hasMore }: { words: SlackWords; isComplete: boolean; hasMore: boolean },
): string[] {
  if (!isComplete) return [words.tooLong];
  if (needsInput) return [words.needsDetails];
  return hasMore ? [words.moreDetails] : [];
}

function textOf(groups: readonly { readonly heading?: string; readonly lines: readonly string[] }[]): string {
  return groups.map(({ heading, lines }) => [heading, ...lines].filter(Boolean).join('\n')).join('\n');
}
