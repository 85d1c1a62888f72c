import { emailChannel } from 'countersign/plugins/email';
import { createTransport } from 'nodemailer';
import { questionHref } from '../inbox/question-href.ts';
import type { Channel, Environment } from './channel.ts';
import { words } from './lines.ts';

/** Less than the time that a delivery may take. */
const limitMs = 10_000;

/** The mail server, and the address of the sender. */
type EmailSettings = { readonly smtpUrl: string; readonly from: string };

/**
 * Reads the variables for e-mail.
 *
 * @param url the public address of the app, for links
 * @throws Error that names the variable and the expected value
 */
export function emailFrom(
  { COUNTERSIGN_SMTP_URL: smtpUrl, COUNTERSIGN_EMAIL_FROM: from }: Environment,
  url: string | undefined,
): EmailSettings | undefined {
  if (!smtpUrl && !from) return undefined;
  if (!smtpUrl || !from)
    throw new Error('Set both COUNTERSIGN_SMTP_URL and COUNTERSIGN_EMAIL_FROM, or neither.');
  if (!/^smtps?:$/.test(URL.parse(smtpUrl)?.protocol ?? '')) {
    throw new Error(
      'COUNTERSIGN_SMTP_URL must be an address such as smtps://user:password@mail.example.com.',
    );
  }
  if (url === undefined)
    throw new Error('E-mail needs COUNTERSIGN_URL, because messages have links to the app.');
  return { smtpUrl, from };
}

/** E-mails to the people of the directory who have an address. */
export const email: Channel = (environment, { people, url }) => {
  const settings = emailFrom(environment, url);
  if (!settings) return undefined;
  const limits = { connectionTimeout: limitMs, greetingTimeout: limitMs, socketTimeout: limitMs };
  const recipients = people.flatMap(({ principal: { id, name }, email: address }) =>
    address === undefined ? [] : [{ id, name, address }],
  );
  return ({ createLink }) => ({
    subscriber: emailChannel({
      transport: createTransport({ url: settings.smtpUrl, ...limits }),
      from: { name: 'Countersign', address: settings.from },
      words,
      to: () => recipients,
      inboxUrl: url === undefined ? undefined : (id) => `${url}${questionHref({ id })}`,
      link: createLink && (({ approvalId, recipient: { id } }) => createLink({ approvalId, for: { id } })),
    }),
  });
};
