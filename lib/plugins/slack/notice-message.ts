import { outcomeOf, type ReportedQuestion, summaryOf } from '../../channels/question-summary.ts';
import { visibleLine } from '../../channels/visible-line.ts';
import { cut, escaped, markedTime, plain } from './block-text.ts';
import { openButton, type SlackMessage, type SlackMetadata } from './message.ts';
import type { SlackWords } from './slack-words.ts';

/** Slack's limits, in characters. */
const longest = { section: 3_000, notification: 500 };

/** By what the message about a step or a reminder is found. @param event its id */
function noticeMetadata(question: string, event: string): SlackMetadata {
  return { event_type: 'countersign_notice', event_payload: { question, event } };
}

/** The event that a message about a question reports. `undefined` for the question's own message. */
export function noticedBy({ event_type: type, event_payload: { event } }: SlackMetadata): string | undefined {
  return type === 'countersign_notice' ? event : undefined;
}

/** An event about an open question that has a message of its own, so that people are notified again. */
export type Noticed = {
  /** The id of the event. */
  readonly id: string;
  /** Whom a step added. Absent for a reminder. */
  readonly step?: { readonly label?: string };
};

/** Whether messages about steps or reminders of a question may have been posted. */
export function hasNotices({ escalation }: ReportedQuestion): boolean {
  return escalation !== undefined && (escalation.step > 0 || escalation.reminders !== undefined);
}

/**
 * The message about a step or a reminder: one line, with the link to the question. The question's own message has the buttons. Once the
 * question is no longer open, the line says how it ended.
 *
 * @source ADR 0051.2, ADR 0051.7
 */
export function noticeMessage(
  question: ReportedQuestion,
  { id, step }: Noticed,
  { words, url }: { readonly words: SlackWords; readonly url: string | undefined },
): SlackMessage {
  const { title, sentence } = summaryOf(question, words, markedTime);
  const label = step?.label === undefined ? undefined : visibleLine(step.label);
  const news = step ? words.escalatedTo(label) : words.reminder;
  const text = `${question.state === 'open' ? news : outcomeOf(question, words)}: ${title}. ${sentence}`;
  return {
    text: escaped(cut(text, longest.notification)),
    metadata: noticeMetadata(question.id, id),
    blocks: [
      { type: 'section', text: plain(cut(text, longest.section)) },
      ...(url === undefined ? [] : [{ type: 'actions', elements: [openButton(url, words)] }]),
    ],
  };
}
