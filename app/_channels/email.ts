import { emailChannel } from 'countersign/plugins/email';
import type { AnswerLinks } from 'countersign/plugins/links';
import type { Subscriber } from 'countersign/plugins/subscriptions';
import { createTransport } from 'nodemailer';
import type { Settings } from '../_server/settings.ts';
import { questionHref } from '../inbox/question-href.ts';
import { words } from './lines.ts';

/** Less than the time that a delivery may take. */
const limitMs = 10_000;

/** The subscriber that sends e-mails to the people with an address; `undefined` if no mail server is configured. */
export function emailOf(
  { email, people, url }: Settings,
  links: AnswerLinks | undefined,
): Subscriber | undefined {
  if (!email) return undefined;
  const { smtpUrl, from } = email;
  const limits = { connectionTimeout: limitMs, greetingTimeout: limitMs, socketTimeout: limitMs };
  const recipients = people.flatMap(({ principal: { id, name }, email: address }) =>
    address === undefined ? [] : [{ id, name, address }],
  );
  return emailChannel({
    transport: createTransport({ url: smtpUrl, ...limits }),
    from: { name: 'Countersign', address: from },
    words,
    to: () => recipients,
    inboxUrl: url === undefined ? undefined : (id) => `${url}${questionHref({ id })}`,
    link: links && (({ approvalId, recipient: { id } }) => links.create({ approvalId, for: { id } })),
  });
}
