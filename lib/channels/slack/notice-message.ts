import { visibleText } from '../../client/visible-text.ts';
import { type ReportedQuestion, summaryOf } from '../question-summary.ts';
import { cut, escaped, plain } from './block-text.ts';
import { openButton, type SlackMessage, type SlackMetadata } from './message.ts';
import type { SlackWords } from './slack-words.ts';

/** Slack's limits, in characters. */
const longest = { section: 3_000, notification: 500 };

/** The metadata of the message about a step or a reminder. @param id of the event */
function noticeMetadata(id: string): SlackMetadata {
  return { event_type: 'countersign_notice', event_payload: { event: id } };
}

/** An event about an open question that has a message of its own, so that people are notified again. */
export type Noticed = {
  /** The id of the event. */
  readonly id: string;
  /** Whom a step added. Absent for a reminder. */
  readonly step?: { readonly label?: string };
};

/**
 * The message about a step or a reminder: one line, with the link to the question. The question's own message has the buttons.
 *
 * @source ADR 0051.2
 */
export function noticeMessage(
  question: ReportedQuestion,
  { id, step }: Noticed,
  { words, url }: { readonly words: SlackWords; readonly url: string | undefined },
): SlackMessage {
  const { title, sentence } = summaryOf(question, words);
  const label = step?.label === undefined ? undefined : visibleText(step.label);
  const text = `${step ? words.escalatedTo(label) : words.reminder}: ${title}. ${sentence}`;
  return {
    text: escaped(cut(text, longest.notification)),
    metadata: noticeMetadata(id),
    blocks: [
      { type: 'section', text: plain(cut(text, longest.section)) },
      ...(url === undefined ? [] : [{ type: 'actions', elements: [openButton(url, words)] }]),
    ],
  };
}
