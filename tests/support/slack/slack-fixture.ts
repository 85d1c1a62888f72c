import type { FlowSettings, Principal } from 'countersign';
import type { FlowPlugin } from 'countersign/plugin';
import { type SlackChannelSettings, slackChannel } from 'countersign/plugins/slack';
import { subscriptions } from 'countersign/plugins/subscriptions';
import { votes } from 'countersign/plugins/votes';
import { fakeClock, type Script } from 'countersign/testing';
import { onTestFinished } from 'vitest';
import { parseApprovalId } from '../../../lib/protocol/index.ts';
import { eagerClock } from '../eager-clock.ts';
import { flowFixture, questionIn } from '../flow-fixture.ts';
import { waitFor } from '../wait-for.ts';
import { slackChannelId, slackSecret, slackServer, slackToken } from './slack-server.ts';

const slackPeople: Readonly<Record<string, Principal>> = {
  U0ADA: { id: 'ada', name: 'Ada' },
  U0BEN: { id: 'ben', name: 'Ben', role: 'manager' },
  U0EVE: { id: 'eve', name: 'Eve' },
};

const paying: Script = ({ prompt }) =>
  prompt.at(-1)?.role === 'tool'
    ? [{ text: 'Done.' }]
    : [{ call: 'pay', input: { to: 'alice', amount: 30 } }];

/** A flow whose questions are posted in a Slack on loopback, until the end of the test. */
export async function slackFixture(
  given: Partial<FlowSettings> & { readonly plugins?: readonly FlowPlugin[] } = {},
  more: Partial<SlackChannelSettings> = {},
  script: Script = paying,
) {
  // Its time stands still, so that a click is answered only when all of its work is done.
  const clock = more.clock ?? fakeClock(Date.now());
  const slack = await slackServer({ now: () => clock.now() });
  const settings: SlackChannelSettings = {
    token: slackToken,
    signingSecret: slackSecret,
    channel: slackChannelId,
    apiUrl: slack.url,
    principalOf: (id) => slackPeople[id],
    inboxUrl: (id) => `https://app.example/inbox/${id}`,
    ...more,
    clock,
  };
  const channel = slackChannel(settings);
  const fixture = flowFixture(script, {
    clock: eagerClock,
    mayAnswer: () => true,
    logger: { warn: () => {}, error: () => {} },
    plugins: [subscriptions({ subscribers: [channel.subscriber] }), votes()],
    ...given,
  });
  slack.connect(channel.handler(fixture.flow));
  onTestFinished(async () => {
    await fixture.flow.close();
    await slack.close();
    await fixture.store.close();
  });
  return {
    ...fixture,
    ...{ slack, settings, channel },
    /** Asks a question, and waits for its message. */
    async ask(chatId = 'chat') {
      const id = parseApprovalId(questionIn(await fixture.chat(chatId).say('Pay.')));
      const message = () => {
        const found = slack.list().find(({ metadata }) => metadata?.event_payload.question === id);
        if (!found) throw new Error('The question has no message.');
        return found;
      };
      await waitFor(message);
      return { id, message };
    },
    click: async (label: string, message: Parameters<typeof slack.clickOf>[0], user?: string) =>
      slack.send(slack.request(slack.clickOf(message, label, user))),
    submit: async (text: string, user?: string) => slack.send(slack.request(slack.submissionOf(text, user))),
  };
}
