import { LRUCache } from 'lru-cache';
import type { ReportedQuestion } from '../../channels/question-summary.ts';
import { isRecord } from '../../protocol/index.ts';
import type { DeliveryFailure, Subscriber } from '../../protocol/subscriber.ts';
import type { EventType, SubscriptionEvent } from '../../protocol/wire/subscription-event.ts';
import { runtime } from '../../runtime/runtime.ts';
import {
  checkEmailSettings,
  type EmailChannelSettings,
  isAddress,
  type Mail,
  type Recipient,
} from './email-settings.ts';
import { defaultEmailWords } from './email-words.ts';
import { contentOf, type MailReason, oneLine } from './mail-content.ts';
import { mailHtml, mailText } from './render-mail.ts';

/** Messages that were accepted, so that a delivery that failed for one recipient repeats only that one. */
const mostRemembered = 10_000;

const reasons: Partial<Record<EventType, MailReason>> = {
  'question.opened': 'opened',
  'question.due-soon': 'due-soon',
  'question.settled': 'outcome',
  'question.withdrawn': 'outcome',
};

/** An event about a question, and why it is reported by e-mail. */
type Reported = {
  readonly event: SubscriptionEvent;
  readonly question: ReportedQuestion;
  readonly inbox: string | undefined;
  readonly reason: MailReason;
};

/**
 * A subscriber that sends e-mails: one message for each recipient, as text and as HTML, with a link to the question. Opening the message or
 * the link answers nothing. The outcome follows as a reply to the first message.
 *
 * @throws CountersignError `invalid-settings`
 * @example
 * emailChannel({
 *   transport: nodemailer.createTransport('smtps://user:password@mail.example.com'),
 *   from: { name: 'Approvals', address: 'approvals@example.com' },
 *   to: () => users.withRole('manager'),
 *   link: ({ approvalId, recipient }) => answerLinks.create({ approvalId, for: { id: recipient.id } }),
 * })
 * @source ADR 0051
 */
export function emailChannel(settings: EmailChannelSettings): Subscriber {
  checkEmailSettings(settings);
  const { id = 'email', transport, to, principal, dueSoonMs } = settings;
  const accepted = new LRUCache<string, true>({ max: mostRemembered });

  async function send(reported: Reported, recipient: Recipient): Promise<DeliveryFailure | undefined> {
    if (!isAddress(recipient.address)) return { failed: 'A recipient has no valid address.', gone: true };
    const mail = await mailOf(settings, reported, recipient);
    if (accepted.has(mail.messageId)) return undefined;
    try {
      await transport.sendMail(mail);
      accepted.set(mail.messageId, true);
      return undefined;
    } catch (error) {
      return failureOf(error);
    }
  }

  return {
    id,
    events: settings.events ?? [
      'question.opened',
      'question.due-soon',
      'question.*',
      'question.settled',
      'question.withdrawn',
    ],
    principal,
    dueSoonMs,
    async deliver(event, { signal }) {
      const reason = 'plugin' in event.data ? 'reminder' : reasons[event.type];
      if (reason === undefined || !('question' in event.data)) return undefined;
      const { question, links } = event.data;
      // A question that was decided before its delivery needs no answer.
      if (reason !== 'outcome' && question.state !== 'open') return undefined;
      const reported = { event, question, reason, inbox: links?.inbox };
      const failures: DeliveryFailure[] = [];
      for (const recipient of await to(question, event.type)) {
        signal.throwIfAborted();
        const failure = await send(reported, recipient);
        if (failure) failures.push(failure);
      }
      // As long as one recipient may be reached later, the delivery is tried again.
      return failures.find(({ gone }) => !gone) ?? failures[0];
    },
  };
}

async function mailOf(
  { from, link, inboxUrl, words: given }: EmailChannelSettings,
  { event, question, inbox: ofApp, reason }: Reported,
  recipient: Recipient,
): Promise<Mail> {
  const words = { ...defaultEmailWords, ...given };
  const isPersonal = reason !== 'outcome' && link !== undefined;
  const inbox = inboxUrl?.(question.id) ?? ofApp;
  const url = isPersonal ? await link({ approvalId: question.id, recipient }) : inbox;
  if (url !== undefined && !/^https?:\/\/[^\s"'<>]+$/.test(url))
    throw new TypeError('A link must be an address.');
  const content = contentOf(question, {
    ...{ words, reason, url },
    name: isPersonal ? recipient.name : undefined,
  });
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  const idOf = (...about: readonly string[]) =>
    `<${runtime.digest(JSON.stringify([...about, recipient.address]))}@${domain}>`;
  const first = idOf('question.opened', question.id);
  const isFirst = reason === 'opened';
  return {
    from: { name: oneLine(from.name), address: from.address },
    to: { name: oneLine(recipient.name), address: recipient.address },
    subject: content.subject,
    text: mailText(content),
    html: mailHtml(content, words),
    messageId: isFirst ? first : idOf(event.type, event.id),
    inReplyTo: !isFirst ? first : undefined,
    references: !isFirst ? first : undefined,
    // No programs answer it, and no mailing list loops.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Operators read it. Answers of mail servers can quote addresses, so only their codes are in it. */
function failureOf(error: unknown): DeliveryFailure {
  const { responseCode, command, code }: Record<string, unknown> =
    isRecord(error) || error instanceof Error ? { ...error } : {};
  if (typeof responseCode !== 'number') {
    const known = typeof code === 'string' && /^[A-Z]{1,20}$/.test(code) ? ` (${code})` : '';
    return { failed: `The mail server was not reached${known}.` };
  }
  const isNoSuchPerson = command === 'RCPT TO' && responseCode >= 500;
  return {
    failed: isNoSuchPerson
      ? `The mail server refused a recipient (${responseCode}).`
      : `The mail server answered ${responseCode}.`,
    gone: isNoSuchPerson ? true : undefined,
  };
}
