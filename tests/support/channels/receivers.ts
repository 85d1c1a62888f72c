import { onTestFinished } from 'vitest';
import { serve } from '../../../lib/testing/server/serve.ts';
import { slackChannelId, slackSecret, slackServer, slackToken } from '../slack/slack-server.ts';
import { smtpInbox } from '../smtp-inbox.ts';

/** The key of a program that asks and answers as the user `ci`. */
export const programKey = 'a-key-of-the-program-1';

/** An event as the webhook got it. */
type Hook = { readonly id: string; readonly type: string; readonly question: string | undefined };

/** A webhook, a Slack and a mail server on loopback, and the variables by which the reference app reaches them. */
export async function receivers() {
  const slack = await slackServer();
  const inbox = await smtpInbox();
  const hooks: Hook[] = [];
  let afterHook: () => void = () => {};
  const webhook = await serve({
    fetch: async (request) => {
      const { id, type, data } = await request.json();
      hooks.push({ id, type, question: data.question?.id });
      afterHook();
      return new Response();
    },
  });
  onTestFinished(async () => {
    await Promise.all([webhook.close(), slack.close(), inbox.close()]);
  });

  const person = { name: 'ci', slack: 'U0ADA', email: 'ci@example.com' };
  return {
    ...{ slack, inbox, hooks },
    onHook(callback: () => void) {
      afterHook = callback;
    },
    environment: {
      COUNTERSIGN_API_KEYS: `ci:${programKey}`,
      COUNTERSIGN_SECRET: 'a secret that only the server knows',
      COUNTERSIGN_DEMO_DELAY_MS: '0',
      // Links have this origin. The tests open them at the port of the server that runs.
      COUNTERSIGN_URL: 'http://127.0.0.1:3999',
      COUNTERSIGN_WEBHOOK_URL: `${webhook.url}/hooks`,
      COUNTERSIGN_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
      COUNTERSIGN_WEBHOOK_PRIVATE: 'on',
      COUNTERSIGN_SLACK_TOKEN: slackToken,
      COUNTERSIGN_SLACK_SIGNING_SECRET: slackSecret,
      COUNTERSIGN_SLACK_CHANNEL: slackChannelId,
      COUNTERSIGN_SLACK_API_URL: slack.url,
      COUNTERSIGN_SMTP_URL: inbox.url,
      COUNTERSIGN_EMAIL_FROM: 'approvals@example.org',
      COUNTERSIGN_PEOPLE: JSON.stringify([person]),
    },
    /** What each place knows of a payment's question. Copies of an e-mail or an event have one id. */
    places(id: string, amount: number) {
      const messages = slack.list().filter(({ metadata }) => metadata?.event_payload.question === id);
      const mails = inbox.mails.filter(({ text }) => text?.includes(`Amount: ${amount}`));
      const events = hooks.filter(({ question }) => question === id);
      return {
        messages,
        mails: [...new Map(mails.map((mail) => [mail.messageId, mail])).values()],
        events: [...new Map(events.map((event) => [event.id, event.type])).values()],
        copies: { mails: mails.length, events: events.length },
      };
    },
    /** Sends Slack's interactions to a server. */
    connectSlack(url: () => string) {
      slack.connect(async (request) =>
        fetch(`${url()}/api/slack/interactions`, {
          method: 'POST',
          headers: request.headers,
          body: await request.text(),
        }),
      );
    },
  };
}

export type Receivers = Awaited<ReturnType<typeof receivers>>;

/** Asks the demo to pay. @returns the id of the question */
export async function askToPay(url: string, amount: number): Promise<string> {
  const parts = [{ type: 'text', text: `Pay Alice ${amount}` }];
  const message = { id: `m-${amount}`, role: 'user', parts };
  const response = await fetch(`${url}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${programKey}` },
    body: JSON.stringify({ id: `chat-${amount}`, message, trigger: 'submit-message' }),
  });
  const [, id] = /"approvalId":"([^"]+)"/.exec(await response.text()) ?? [];
  if (id === undefined) throw new Error('The demo did not ask.');
  return id;
}

/** The amounts of the payments that were made. */
export async function paidAmounts(url: string): Promise<readonly number[]> {
  const headers = { authorization: `Bearer ${programKey}` };
  const { payments } = await (await fetch(`${url}/api/demo/payments`, { headers })).json();
  return payments.map(({ amount }: { amount: number }) => amount);
}
