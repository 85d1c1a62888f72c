import type { FlowSettings, Principal } from 'countersign';
import type { FlowPlugin } from 'countersign/plugin';
import { type EmailChannelSettings, emailChannel, type Recipient } from 'countersign/plugins/email';
import { subscriptions } from 'countersign/plugins/subscriptions';
import type { Script } from 'countersign/testing';
import { onTestFinished } from 'vitest';
import { parseApprovalId } from '../../lib/protocol/index.ts';
import { eagerClock } from './eager-clock.ts';
import { flowFixture, questionIn } from './flow-fixture.ts';
import { smtpInbox } from './smtp-inbox.ts';
import { waitFor } from './wait-for.ts';

const people: readonly Principal[] = [
  { id: 'ada', name: 'Ada' },
  { id: 'ben', name: 'Ben', role: 'manager' },
];
const recipients: readonly Recipient[] = people.map(({ id, name }) => ({
  ...{ id, name },
  address: `${id}@example.com`,
}));

const paying: Script = ({ prompt }) =>
  prompt.at(-1)?.role === 'tool'
    ? [{ text: 'Done.' }]
    : [{ call: 'pay', input: { to: 'alice', amount: 30 } }];

/** A flow whose questions are sent to a mail server on loopback, until the end of the test. */
export async function emailFixture(
  given: Partial<FlowSettings> & { readonly plugins?: readonly FlowPlugin[] } = {},
  more: Partial<EmailChannelSettings> = {},
  script: Script = paying,
) {
  const inbox = await smtpInbox();
  const settings: EmailChannelSettings = {
    transport: inbox.transport,
    from: { name: 'Approvals', address: 'approvals@example.org' },
    to: () => recipients,
    link: ({ approvalId, recipient }) => `https://app.example/answer/${approvalId}/${recipient.id}`,
    ...more,
  };
  const subscriber = emailChannel(settings);
  const channel = subscriptions({ subscribers: [subscriber], baseUrl: 'https://app.example' });
  const fixture = flowFixture(script, {
    clock: eagerClock,
    mayAnswer: () => true,
    logger: { warn: () => {}, error: () => {} },
    ...given,
    plugins: [channel, ...(given.plugins ?? [])],
  });
  onTestFinished(async () => {
    await fixture.flow.close();
    await inbox.close();
    await fixture.store.close();
  });
  return {
    ...fixture,
    ...{ inbox, settings, subscriber },
    /** Asks a question, and waits for as many messages. */
    async ask(chatId = 'chat', count = recipients.length) {
      const before = inbox.mails.length;
      const id = parseApprovalId(questionIn(await fixture.chat(chatId).say('Pay.')));
      await waitFor(() => {
        if (inbox.mails.length < before + count) throw new Error('Messages are missing.');
      });
      return id;
    },
    mailTo: (address: string) => inbox.mails.filter(({ recipients: to }) => to.includes(address)),
  };
}

/** The link of a message, from its text. */
export function linkIn(text: string | undefined): string {
  const [, link] = /\n(https?:\S+)\n/.exec(text ?? '') ?? [];
  if (link === undefined) throw new Error('The message has no link.');
  return link;
}
