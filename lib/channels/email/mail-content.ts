import { visibleText } from '../../client/visible-text.ts';
import { outcomeOf, type ReportedQuestion, summaryOf } from '../question-summary.ts';
import type { EmailWords } from './email-words.ts';

/** What a message says, before it is text or HTML. */
export type MailContent = {
  readonly subject: string;
  /** How the question ended, or that it expires soon. */
  readonly status?: string;
  readonly sentence: string;
  /** What is emphasized: the risk, and warnings. */
  readonly notes: readonly string[];
  readonly sections: readonly { readonly heading: string; readonly lines: readonly string[] }[];
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly link?: { readonly label: string; readonly url: string };
  readonly footer?: string;
};

/** Why a message is sent: the question was asked, expires soon, or is no longer open. */
export type MailReason = 'opened' | 'due-soon' | 'outcome';

const longestSubject = 150;

/**
 * The content of a message about a question. Outcomes have the subject of the first message, so that mail programs show both in one
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
  const { title, sentence, risk, warnings, effect, hasMore, ...summary } = summaryOf(question, words);
  const isOpen = reason !== 'outcome';
  const subject = oneLine(`${words.approvalNeeded}: ${title}`).slice(0, longestSubject);
  const status = isOpen ? undefined : outcomeOf(question, words);
  const more = hasMore ? [words.moreDetails] : [];
  return {
    subject: reason === 'opened' ? subject : `Re: ${subject}`,
    ...(status !== undefined && { status }),
    ...(reason === 'due-soon' && { status: words.dueSoon }),
    sentence,
    notes: isOpen ? [risk, ...warnings].filter((note) => note !== undefined) : [],
    sections: [
      ...summary.arguments.map(({ heading = words.request, lines }) => ({ heading, lines })),
      ...(isOpen && effect ? [{ heading: words.effect, lines: [...effect.lines, ...more] }] : []),
    ],
    facts: factsOf(question, title, words),
    ...(url !== undefined && { link: { label: isOpen ? words.answer : words.open, url } }),
    ...(name !== undefined && { footer: words.onlyFor(oneLine(visibleText(name))) }),
  };
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
    { name: words.askedBy, value: visibleText(askedBy.name) },
    { name: words.askedAt, value: at(requestedAt) },
    ...(isDue ? [{ name: words.expires, value: at(deadline) }] : []),
    ...(answer?.reason ? [{ name: words.reason, value: visibleText(answer.reason) }] : []),
  ];
}
