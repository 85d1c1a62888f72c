import type { ReportedQuestion } from '../../channels/question-summary.ts';
import type { Principal } from '../../protocol/index.ts';
import { anything, checkSettings, func, port, type SettingCheck, unfit } from '../../protocol/settings.ts';
import type { Subscriber } from '../../protocol/subscriber.ts';
import type { EventType } from '../../protocol/wire/subscription-event.ts';
import type { EmailWords } from './email-words.ts';

/** A message for one recipient, as the channel hands it to the transport. */
export type Mail = {
  readonly from: MailAddress | string;
  readonly to: MailAddress;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same for each attempt, so that mailboxes can drop a copy. */
  readonly messageId: string;
  readonly inReplyTo?: string;
  readonly references?: string;
  readonly headers: Record<string, string>;
  readonly disableFileAccess: true;
  readonly disableUrlAccess: true;
};

/** An address, and the name of its person. */
export type MailAddress = { readonly name: string; readonly address: string };

/** Sends messages: a transporter of `nodemailer`, or anything with this method. */
export type MailTransport = { sendMail(mail: Mail): Promise<unknown> };

/** A person who gets a message. */
export type Recipient = Pick<Principal, 'id' | 'name'> & { readonly address: string };

/** The settings of `emailChannel`. */
export type EmailChannelSettings = Pick<Subscriber, 'principal' | 'dueSoonMs'> & {
  /** Names the subscription in the store. Default: `email`. */
  readonly id?: string;
  /** For example `nodemailer.createTransport(…)`. Set its time limits to less than 30 s. */
  readonly transport: MailTransport;
  /** The sender. The ids of messages end in its domain. */
  readonly from: MailAddress;
  /**
   * Returns who gets a message about a question. Each of them gets a message of their own. It should return the same people for the outcome.
   *
   * @param type of the event, such as `question.opened`
   */
  readonly to: (
    question: ReportedQuestion,
    type: EventType,
  ) => readonly Recipient[] | Promise<readonly Recipient[]>;
  /**
   * Returns the address at which a recipient answers, such as an answer link. It is called for each message about an open question.
   * Default: `inboxUrl`.
   *
   * @example ({ approvalId, recipient }) => answerLinks.create({ approvalId, for: { id: recipient.id } })
   */
  readonly link?: (request: {
    readonly approvalId: string;
    readonly recipient: Recipient;
  }) => string | Promise<string>;
  /**
   * Returns the address of the page of a question, for messages without a `link`, such as those about outcomes. It must not sign anybody
   * in. Default: the inbox, if the flow has a `baseUrl`.
   */
  readonly inboxUrl?: (approvalId: string) => string;
  /** Default: all events about a question. */
  readonly events?: readonly EventType[];
  /** Texts, for example in another language. Default: English. */
  readonly words?: Partial<EmailWords>;
};

/** An address that cannot end a header or begin another one. Addresses with quotes are refused. */
const addressPattern =
  /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,251}[\p{L}\p{N}])?$/u;

/** Whether a value is an e-mail address that messages can be sent to. */
export function isAddress(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 254 && addressPattern.test(value);
}

const sender: SettingCheck = (value, path) => {
  const { name, address } =
    typeof value === 'object' && value !== null ? (value as Partial<MailAddress>) : {};
  if (typeof name !== 'string') unfit(`${path}.name`, 'must be a text');
  if (!isAddress(address)) unfit(`${path}.address`, 'must be an e-mail address');
};

/** The flow checks what belongs to the subscriber. */
const checks = {
  id: anything,
  principal: anything,
  dueSoonMs: anything,
  events: anything,
  transport: port('sendMail'),
  from: sender,
  to: func,
  link: func,
  inboxUrl: func,
  words: anything,
} satisfies Record<keyof EmailChannelSettings, SettingCheck>;

/** @throws CountersignError `invalid-settings` */
export function checkEmailSettings(settings: EmailChannelSettings): void {
  checkSettings('emailChannel', settings, checks, ['transport', 'from', 'to']);
}
