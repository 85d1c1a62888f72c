import { slackChannel } from 'countersign/plugins/slack';
import { onTestFinished } from 'vitest';
import { type PersonName, people } from '../../../simulator/actors/people.ts';
import { slackChannelId, slackSecret, slackServer, slackToken } from '../../../support/slack/slack-server.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { expectStatus, proves, viaOf } from '../proofs.ts';
import type { Member } from '../stage.ts';

export const member: Member = async (setup) => {
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
};
