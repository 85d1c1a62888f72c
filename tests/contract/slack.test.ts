import { type ApprovalFlow, notTheAsker } from 'countersign';
import { slackChannel } from 'countersign/plugins/slack';
import { type SubscriptionEvent, subscriptions } from 'countersign/plugins/subscriptions';
import { fakeClock } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../lib/protocol/clock/system-clock.ts';
import type { ApprovalId } from '../../lib/protocol/index.ts';
import { questionJson } from '../../lib/views/questions/question-json.ts';
import { ada, flowFixture } from '../support/flow-fixture.ts';
import { textsOf } from '../support/slack/block-kit.ts';
import { slackFixture } from '../support/slack/slack-fixture.ts';
import { waitFor } from '../support/wait-for.ts';

/** The event of an opened question, as it is delivered. */
async function openedEvent(flow: ApprovalFlow, approvalId: ApprovalId): Promise<SubscriptionEvent> {
  const question = questionJson(await flow.approvals.read({ principal: ada, approvalId }));
  return { id: 'evt_1', timestamp: question.requestedAt, type: 'question.opened', data: { question } };
}

describe('a question in Slack', () => {
  it('is one message with its sentence, arguments and buttons [0051.1]', async () => {
    const { ask, slack } = await slackFixture({
      toolDetails: {
        pay: {
          title: 'Make payment',
          describe: () => 'Pay 30 to alice.',
          risk: () => ({ level: 'high', reason: 'New payee' }),
        },
      } as never,
    });
    const { message } = await ask();
    const { text, blocks, edits } = message();
    expect(text).toBe('Approval needed: Make payment. Pay 30 to alice.');
    expect(textsOf(blocks)).toEqual([
      'Approval needed: Make payment',
      'Pay 30 to alice.',
      'To: alice\nAmount: 30',
      'High risk: New payee',
      'Asked by Ada',
      expect.stringMatching(/^<!date\^\d+\^/),
      'Approve',
      'Deny',
      'Open',
    ]);
    expect([slack.list().length, edits]).toEqual([1, 0]);
    expect(slack.buttons(message()).map(({ confirm }) => confirm !== undefined)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('is approved by a click, runs once, and its message shows the outcome [0051.3, 0051.7]', async () => {
    const { ask, click, slack, ran, store } = await slackFixture();
    const { id, message } = await ask();
    const response = await click('Approve', message(), 'U0BEN');
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect((await store.questions.read(id))?.answer).toMatchObject({
      approved: true,
      by: { id: 'ben' },
      via: 'slack',
    });
    await waitFor(() => expect(message().text).toMatch(/^Approved by Ben: Pay/));
    expect(slack.buttons(message()).map(({ text }) => text.text)).toEqual(['Open']);
    await waitFor(() => expect(ran).toHaveLength(1));
    expect(slack.list()).toHaveLength(1);
  });

  it('is denied with a reason from a form [0051.3]', async () => {
    const { ask, click, submit, store, slack } = await slackFixture();
    const { id, message } = await ask();
    await click('Deny', message());
    expect(slack.views).toHaveLength(1);
    const response = await submit('Too much <!channel>');
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect((await store.questions.read(id))?.answer).toMatchObject({
      approved: false,
      reason: 'Too much <!channel>',
      via: 'slack',
    });
    await waitFor(() => expect(message().text).toMatch(/^Denied by Ada/));
    const reason = message()
      .blocks.flatMap((block) => (block.type === 'context' ? block.elements : []))
      .at(-1);
    expect(reason).toEqual({ type: 'plain_text', text: '“Too much <!channel>”', emoji: false });
  });

  it.each([
    ['approved', true, /^Approved by Ada/],
    ['denied', false, /^Denied by Ada/],
  ])('shows that it was %s elsewhere [0051.7]', async (_, approved, shown) => {
    const { ask, chat } = await slackFixture();
    const { id, message } = await ask();
    await chat().answer(id, approved);
    await waitFor(() => expect(message().text).toMatch(shown));
  });

  it('shows that it was withdrawn [0051.7]', async () => {
    const { ask, chat } = await slackFixture();
    const { message } = await ask();
    await chat().stop();
    await waitFor(() => expect(message().text).toMatch(/^Cancelled: the run was stopped/));
  });

  it('is not posted if it was decided before it could be [0051.7]', async () => {
    const { channel, slack, ask, chat, flow } = await slackFixture();
    const { id, message } = await ask();
    await chat().answer(id, true);
    await waitFor(() => expect(message().text).toMatch(/^Approved/));
    slack.messages.clear();
    const event = await openedEvent(flow, id);
    expect(await channel.subscriber.deliver(event, { signal: new AbortController().signal })).toBeUndefined();
    expect(slack.list()).toEqual([]);
  });

  it('has only Deny and Open if its message would be too long [0051.9]', async () => {
    const { ask, slack, click } = await slackFixture({}, {}, [
      [{ call: 'search', input: { query: 'x'.repeat(3_500) } }],
      [{ text: 'Done.' }],
    ]);
    const { message } = await ask();
    expect(slack.buttons(message()).map(({ text }) => text.text)).toEqual(['Deny', 'Open']);
    expect(textsOf(message().blocks).join()).toContain('too long for a message');
    await expect(click('Approve', message())).rejects.toThrow(/no button/);
  });

  it('shows texts of models and people without markup, and cannot mention anybody [0051.1]', async () => {
    const nasty = '<!channel> <https://evil.example|click> *bold* :tada: \u202e & one\nAmount: 5';
    const { ask } = await slackFixture(
      { toolDetails: { pay: { describe: () => nasty, title: nasty } } as never },
      {},
      [[{ call: 'pay', input: { to: nasty, amount: 30 } }], [{ text: 'Done.' }]],
    );
    const { message } = await ask();
    const { blocks, text } = message();
    expect(text).not.toMatch(/<[!@#h]/);
    const marked = blocks
      .flatMap((block) =>
        block.type === 'context' ? block.elements : block.type === 'section' ? [block.text] : [],
      )
      .filter(({ type }) => type === 'mrkdwn');
    for (const each of marked) expect(each.text).toMatch(/^(⏳ )?<!date\^\d+\^[^<>]*\|[^<>]*>$/);
    // A value with a line break is one line.
    expect(textsOf(blocks)[2]?.split('\n')).toHaveLength(2);
    expect(textsOf(blocks)[1]).not.toContain('\n');
    expect(textsOf(blocks).join()).toContain('⟨U+202E');
  });
});

describe('a delivery to Slack', () => {
  it('that is repeated finds the message, and posts no second one [0051.2]', async () => {
    const { ask, slack, settings, store } = await slackFixture();
    const { message } = await ask();
    // A new subscription begins with the questions that are open, as after a crash before the delivery was recorded.
    const again = slackChannel({ ...settings, id: 'slack-again' });
    const plugins = [subscriptions({ subscribers: [again.subscriber] })];
    const next = flowFixture([], { store, mayAnswer: () => true, plugins });
    await waitFor(() =>
      expect(slack.calls.filter(({ method }) => method === 'conversations.history')).toHaveLength(2),
    );
    await next.flow.close();
    expect(slack.list()).toEqual([message()]);
  });

  it('does not take the message of another app for its own [0051.2]', async () => {
    const { ask, slack, chat } = await slackFixture();
    const { id } = await ask();
    const [own] = slack.list();
    slack.messages.clear();
    slack.foreign({ metadata: own?.metadata });
    await chat().answer(id, true);
    await chat('other').say('Pay.');
    await waitFor(() => expect(slack.list().filter(({ bot }) => bot !== 'B0OTHER')).toHaveLength(1));
    expect(slack.list().find(({ bot }) => bot === 'B0OTHER')?.edits).toBe(0);
  });

  it('is tried again when Slack allows it [0051.8]', async () => {
    const { channel, slack, ask, flow } = await slackFixture();
    const { id } = await ask();
    slack.messages.clear();
    slack.limited.push({ method: 'conversations.history', seconds: 7 });
    const event = await openedEvent(flow, id);
    const deliver = () => channel.subscriber.deliver(event, { signal: new AbortController().signal });
    expect(await deliver()).toEqual({ failed: 'Slack limits the rate of requests.', retryAfterMs: 7_000 });
    slack.failing.push({ method: 'chat.postMessage', error: 'channel_not_found' });
    expect(await deliver()).toEqual({
      failed:
        'Slack refused chat.postMessage: channel_not_found. Invite the app to the channel, and check its id.',
    });
    slack.failing.push({ method: 'auth.test', error: 'token_revoked' });
    expect(await deliver()).toBeUndefined();
    expect(slack.list()).toHaveLength(1);
  });
});

describe('an answer in Slack', () => {
  it('is refused for an unknown account, which gets a message that only it sees [0051.5]', async () => {
    const { ask, click, slack, store } = await slackFixture();
    const { id, message } = await ask();
    expect((await click('Approve', message(), 'U0STRANGER')).status).toBe(200);
    expect((await click('Deny', message(), 'U0STRANGER')).status).toBe(200);
    expect(slack.ephemerals.map(({ user, text }) => [user, text.slice(0, 18)])).toEqual([
      ['U0STRANGER', 'Your Slack account'],
      ['U0STRANGER', 'Your Slack account'],
    ]);
    expect(slack.views).toEqual([]);
    expect((await store.questions.read(id))?.state).toBe('open');
  });

  it('is refused if the rules do not allow the person to give it [0051.3]', async () => {
    const { ask, click, slack, store } = await slackFixture({
      toolDetails: { pay: { approvers: notTheAsker } } as never,
    });
    const { id, message } = await ask();
    await click('Approve', message(), 'U0ADA');
    await click('Deny', message(), 'U0ADA');
    expect(slack.ephemerals.map(({ text }) => text)).toEqual(
      Array(2).fill("You can't answer this request. Nothing was recorded."),
    );
    expect((await store.questions.read(id))?.state).toBe('open');
    await click('Approve', message(), 'U0BEN');
    expect((await store.questions.read(id))?.state).toBe('approved');
  });

  it('never satisfies a recent sign-in, and links to the page instead [0051.6]', async () => {
    const signedIn = { id: 'ada', name: 'Ada', authenticatedAt: Date.now(), authenticationMethods: ['otp'] };
    const { ask, click, slack, store } = await slackFixture(
      { toolDetails: { pay: { stepUp: { maxAgeMs: 60_000 } } } as never },
      { principalOf: () => signedIn },
    );
    const { id, message } = await ask();
    await click('Approve', message());
    await click('Deny', message());
    expect(slack.ephemerals.map(({ text }) => text)).toEqual(
      Array(2).fill('This request needs a recent sign-in. Open it to answer it. Nothing was recorded.'),
    );
    const [open] =
      slack.ephemerals[0]?.blocks.flatMap((block) => (block.type === 'actions' ? block.elements : [])) ?? [];
    expect(open?.url).toBe(`https://app.example/inbox/${id}`);
    expect((await store.questions.read(id))?.state).toBe('open');
  });

  it('is refused if the effect has changed, and the message shows the new effect [0051.3]', async () => {
    let balance = 100;
    let later = 0;
    const clock = { ...systemClock, now: () => Date.now() + later };
    const preview = () => ({ summary: `${balance} becomes ${balance - 30}.` });
    const { ask, slack, store } = await slackFixture(
      { clock, toolDetails: { pay: { preview } } as never },
      { clock },
    );
    const { id, message } = await ask();
    const old = message();
    expect(textsOf(old.blocks)).toContain('Effect\n100 becomes 70.');
    balance = 50;
    // After a minute, the effect is determined again.
    later = 61_000;
    const clickLater = async (from: typeof old) =>
      slack.send(slack.request(slack.clickOf(from, 'Approve'), { at: clock.now() }));
    await clickLater(old);
    expect(textsOf(message().blocks)).toContain('Effect\n50 becomes 20.');
    expect(slack.ephemerals.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^This request has changed/),
    ]);
    await clickLater(old);
    expect((await store.questions.read(id))?.state).toBe('open');
    await clickLater(message());
    expect((await store.questions.read(id))?.state).toBe('approved');
  });

  it('that comes second changes nothing, and the message that was clicked shows the outcome [0051.3]', async () => {
    const { ask, click, slack, store } = await slackFixture();
    const { id, message } = await ask();
    const old = message();
    await click('Deny', old, 'U0BEN');
    await click('Approve', old, 'U0ADA');
    const refused = await slack.send(slack.request(slack.submissionOf('No', 'U0BEN')));
    expect(await refused.json()).toEqual({
      response_action: 'errors',
      errors: { reason: 'This request was decided already: Approved by Ada. Nothing was recorded.' },
    });
    await click('Deny', old, 'U0BEN');
    expect(slack.views).toHaveLength(1);
    expect((await store.questions.read(id))?.answer).toMatchObject({ approved: true, by: { id: 'ada' } });
    expect(message().text).toMatch(/^Approved by Ada/);
  });

  it('gets its response in time, even if the answer takes longer [0051.4]', async () => {
    const gate = Promise.withResolvers<void>();
    const work: Promise<unknown>[] = [];
    const clock = fakeClock(Date.now());
    const { ask, click, store } = await slackFixture(
      {},
      {
        principalOf: async () => {
          await gate.promise;
          return { id: 'ada', name: 'Ada' };
        },
        waitUntil: (promise) => void work.push(promise),
        clock,
      },
    );
    const { id, message } = await ask();
    const clicked = click('Approve', message());
    await clock.timer(2_000);
    // Slack shows an error if there is no response within 3 s.
    clock.advance(2_999);
    expect((await clicked).status).toBe(200);
    expect((await store.questions.read(id))?.state).toBe('open');
    gate.resolve();
    await Promise.all(work);
    expect((await store.questions.read(id))?.state).toBe('approved');
  });
});
