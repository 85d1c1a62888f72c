import { emailChannel } from 'countersign/plugins/email';
import { links } from 'countersign/plugins/links';
import { slackChannel } from 'countersign/plugins/slack';
import { webhook } from 'countersign/plugins/webhooks';
import { onTestFinished } from 'vitest';
import { serve } from '../../../lib/testing/server/serve.ts';
import { type PersonName, people } from '../../simulator/actors/people.ts';
import { answerBy } from '../../support/answer-links-fixture.ts';
import { linkIn } from '../../support/email-fixture.ts';
import { recordingSubscriber } from '../../support/recording-subscriber.ts';
import { slackChannelId, slackSecret, slackServer, slackToken } from '../../support/slack/slack-server.ts';
import { smtpInbox } from '../../support/smtp-inbox.ts';
import { waitFor } from '../../support/wait-for.ts';
import { addPlugin } from './add-plugin.ts';
import { eventsOf, proves } from './plugins.ts';
import type { Member } from './stage.ts';

const personOf = (id: string) => Object.values(people).find((person) => person.id === id);

/** Plugins that notify people and systems of questions. By some of them, people answer. */
export const channels = {
  links: (setup) => {
    const answerLinks = links({
      ...{ secret: 'a secret of these tests', baseUrl: `${setup.url}/api` },
      person: (id) => personOf(id) ?? null,
    });
    addPlugin(setup, answerLinks);
    const linkOf = (approvalId: string, id: string) => answerLinks.create({ approvalId, for: { id } });
    setup.makeLink = linkOf;
    setup.ways.push(async ({ approvalId }, who) => {
      const url = (await setup.sentLink?.(approvalId, who)) ?? (await linkOf(approvalId, who));
      expectStatus(303, (await answerBy(url, 'approve')).status);
    });
    proves(setup, 'links', () => viaOf(setup).includes('link') || viaOf(setup));
  },
  email: async (setup) => {
    const inbox = await smtpInbox();
    onTestFinished(() => inbox.close());
    setup.subscribers.push(
      emailChannel({
        ...{ transport: inbox.transport, from: { name: 'Approvals', address: 'approvals@example.org' } },
        to: () => Object.values(people).map(({ id, name }) => ({ id, name, address: `${id}@example.com` })),
        link: ({ approvalId, recipient }) =>
          setup.makeLink?.(approvalId, recipient.id) ?? `https://app.example/${approvalId}`,
      }),
    );
    const linksTo = (who: string) =>
      inbox.mails
        .filter(({ recipients }) => recipients.includes(`${who}@example.com`))
        .flatMap(({ text }) => (/\n(https?:\S+)\n/.test(text ?? '') ? [linkIn(text)] : []));
    setup.sentLink = async (_approvalId, who) => {
      const before = linksUsed;
      linksUsed += 1;
      return waitFor(() => {
        const link = linksTo(who)[before];
        if (link === undefined) throw new Error('The link was not sent.');
        return link;
      });
    };
    let linksUsed = 0;
    proves(setup, 'email', () => waitFor(() => isThere(inbox.mails.length)));
  },
  slack: async (setup) => {
    const slack = await slackServer({ now: () => Date.now() });
    onTestFinished(() => slack.close());
    const users: Readonly<Record<string, PersonName>> = { U0ADA: 'ada', U0BEN: 'ben', U0CLEO: 'cleo' };
    const channel = slackChannel({
      ...{ token: slackToken, signingSecret: slackSecret, channel: slackChannelId, apiUrl: slack.url },
      principalOf: (id) => people[users[id] ?? 'mallory'],
      inboxUrl: (id) => `https://app.example/inbox/${id}`,
    });
    setup.subscribers.push(channel.subscriber);
    setup.before.push(async () => slack.connect(channel.handler(setup.stage().flow)));
    setup.ways.push(async ({ approvalId }, who) => {
      const message = await waitFor(() => {
        const found = slack.list().find(({ metadata }) => metadata?.event_payload.question === approvalId);
        if (!found) throw new Error('The question has no message.');
        return found;
      });
      const user = Object.keys(users).find((id) => users[id] === who);
      expectStatus(200, (await slack.send(slack.request(slack.clickOf(message, 'Approve', user)))).status);
    });
    proves(setup, 'slack', () => viaOf(setup).includes('slack') || [viaOf(setup), slack.list()]);
  },
  subscriptions: (setup) => {
    const recorder = recordingSubscriber();
    setup.subscribers.push(recorder.subscriber);
    proves(setup, 'subscriptions', () =>
      waitFor(() => isThere(recorder.got.filter(({ type }) => type === 'question.settled').length)),
    );
  },
  webhooks: async (setup) => {
    const received: (string | null)[] = [];
    const receiver = await serve({
      fetch(request) {
        received.push(request.headers.get('webhook-signature'));
        return new Response(null, { status: 204 });
      },
    });
    onTestFinished(() => receiver.close());
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const settings = { id: 'pager', url: receiver.url, secrets: [secret], allowPrivateNetwork: true };
    setup.subscribers.push(webhook(settings));
    proves(setup, 'webhooks', () =>
      waitFor(() => isThere(received.filter((signature) => signature !== null).length)),
    );
  },
} satisfies Record<string, Member>;

/** How people have answered. */
function viaOf(setup: Parameters<typeof eventsOf>[0]): string[] {
  return eventsOf(setup).flatMap((event) =>
    event.type === 'approval-answered' || event.type === 'answer-recorded' ? [event.via] : [],
  );
}

function isThere(count: number): true {
  if (count === 0) throw new Error('Nothing has arrived.');
  return true;
}

function expectStatus(expected: number, status: number): void {
  if (status !== expected) throw new Error(`An answer got ${status} instead of ${expected}.`);
}
