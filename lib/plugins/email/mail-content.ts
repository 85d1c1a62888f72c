import { outcomeOf, type ReportedQuestion, summaryOf } from '../../channels/question-summary.ts';
import { visibleLine } from '../../channels/visible-line.ts';
import { visibleText } from '../../client/text/visible-text.ts';
import type { EmailWords } from './email-words.ts';

/** What a message says, before it is text or HTML. */
export type MailContent = {
  readonly subject: string;
  /** How the question ended, or why the message was sent. */
  readonly status?: string;
  readonly sentence: string;
  /** What is emphasized: the risk, warnings, the way to an answer, and that only the page can take the answer. */
  readonly notes: readonly string[];
  readonly sections: readonly { readonly heading: string; readonly lines: readonly string[] }[];
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly link?: { readonly label: string; readonly url: string };
  readonly footer?: string;
};

/** Why a message is sent: the question was asked, expires soon, has no answer yet, or is no longer open. */
export type MailReason = 'opened' | 'due-soon' | 'reminder' | 'outcome';

const longestSubject = 150;

/**
 * The content of a message about a question. All messages have the subject of the first, so that mail programs show them in one
 * conversation.
 *
 * @param options.url of the link
 * @param options.name of the recipient, if the link is only for them
 * @source ADR 0051.1
 */
export function contentOf(
  question: ReportedQuestion,
  options: {
    readonly words: EmailWords;
    readonly reason: MailReason;
    readonly url: string | undefined;
    readonly name: string | undefined;
  },
): MailContent {
  const { words, reason, url, name } = options;
  const moment = (at: string) => words.moment(new Date(at));
  const { title, sentence, risk, warnings, effect, hasMore, lines, ...summary } = summaryOf(
    question,
    words,
    moment,
  );
  const isOpen = reason !== 'outcome';
  const needed = question.needsValue ? words.answerNeeded : words.approvalNeeded;
  const subject = oneLine(`${needed}: ${title}`).slice(0, longestSubject);
  const status = statusOf(question, reason, words);
  const more = hasMore ? [words.moreDetails] : [];
  return {
    // A reminder may be the first message that its reader gets.
    subject: reason === 'opened' || reason === 'reminder' ? subject : `Re: ${subject}`,
    status,
    sentence,
    notes: [
      ...(isOpen ? [risk, ...warnings].filter((note) => note !== undefined) : []),
      ...lines,
      ...(isOpen && (question.needsValue || question.needsInput) ? [words.needsPage] : []),
    ],
    sections: [
      ...summary.arguments.map(({ heading = words.request, lines }) => ({ heading, lines })),
      ...(isOpen ? choicesOf(question, words) : []),
      ...(isOpen && effect ? [{ heading: words.effect, lines: [...effect.lines, ...more] }] : []),
    ],
    facts: factsOf(question, title, words),
    link: url === undefined ? undefined : { label: isOpen ? words.answer : words.open, url },
    footer: name === undefined ? undefined : words.onlyFor(oneLine(visibleText(name))),
  };
}

function statusOf(question: ReportedQuestion, reason: MailReason, words: EmailWords): string | undefined {
  switch (reason) {
    case 'opened':
      return undefined;
    case 'due-soon':
      return words.dueSoon;
    case 'reminder':
      return words.reminder;
    case 'outcome':
      return outcomeOf(question, words);
  }
}

/** The options by their labels, with what they would do. The page has a button for each. */
function choicesOf({ options = [] }: ReportedQuestion, words: EmailWords): MailContent['sections'] {
  if (options.length === 0) return [];
  const lines = options.map(({ label, description }) =>
    visibleLine(description === undefined ? label : `${label}: ${description}`),
  );
  return [{ heading: words.options, lines }];
}

/** A text in one line, without control characters, for a header. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

function factsOf(question: ReportedQuestion, title: string, words: EmailWords): MailContent['facts'] {
  const { toolName, askedBy, requestedAt, deadline, state, answer } = question;
  const at = (time: string) => words.moment(new Date(time));
  const isDue = state === 'open' && deadline !== undefined;
  return [
    { name: words.tool, value: title === toolName ? title : `${title} (${visibleText(toolName)})` },
    { name: words.askedBy, value: visibleLine(askedBy.name) },
    { name: words.askedAt, value: at(requestedAt) },
    ...(isDue ? [{ name: words.expires, value: at(deadline) }] : []),
    ...(answer?.reason ? [{ name: words.reason, value: visibleText(answer.reason) }] : []),
  ];
}
