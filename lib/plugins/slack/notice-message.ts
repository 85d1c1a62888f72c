import { outcomeOf, type ReportedQuestion, summaryOf } from '../../channels/question-summary.ts';
import { cut, escaped, markedTime, plain, withTimes } from './block-text.ts';
import { openButton, type SlackMessage, type SlackMetadata } from './message.ts';
import type { SlackWords } from './slack-words.ts';

/** Slack's limits, in characters. */
const longest = { section: 3_000, notification: 500, context: 1_000 };

/** By what the message about an event of a plugin is found. @param event its id */
function noticeMetadata(question: string, event: string): SlackMetadata {
  return { event_type: 'countersign_notice', event_payload: { question, event } };
}

/** The event that a message about a question reports. `undefined` for the question's own message. */
export function noticedBy({ event_type: type, event_payload: { event } }: SlackMetadata): string | undefined {
  return type === 'countersign_notice' ? event : undefined;
}

/** Whether messages about what plugins have recorded may have been posted. */
export function hasNotices({ plugins }: ReportedQuestion): boolean {
  return plugins !== undefined;
}

/**
 * The message about what a plugin has recorded, such as a reminder: one line, what plugins say, and the link to the question. The question's own
 * message has the buttons. Once the question is no longer open, the line says how it ended.
 *
 * @param id of the event
 * @source ADR 0051.2, ADR 0051.7
 */
export function noticeMessage(
  question: ReportedQuestion,
  id: string,
  { words, url }: { readonly words: SlackWords; readonly url: string | undefined },
): SlackMessage {
  const { title, sentence, lines } = summaryOf(question, words, markedTime);
  const isOpen = question.state === 'open';
  const text = `${isOpen ? words.reminder : outcomeOf(question, words)}: ${title}. ${sentence}`;
  return {
    text: escaped(cut(text, longest.notification)),
    metadata: noticeMetadata(question.id, id),
    blocks: [
      { type: 'section', text: plain(cut(text, longest.section)) },
      ...lines.map((line) => ({ type: 'context', elements: [withTimes(line, longest.context)] })),
      ...(url === undefined ? [] : [{ type: 'actions', elements: [openButton(url, words)] }]),
    ],
  };
}
