import { askPerson } from 'countersign';
import { emailChannel } from 'countersign/plugins/email';
import { escalation, escalationLines } from 'countersign/plugins/escalation';
import { type SlackChannel, slackChannel } from 'countersign/plugins/slack';
import type { SubscriptionEvent } from 'countersign/plugins/subscriptions';
import { votesLines } from 'countersign/plugins/votes';
import { fakeClock } from 'countersign/testing';
import { expect, it } from 'vitest';
import { parseApprovalId } from '../../lib/protocol/index.ts';
import { questionJson } from '../../lib/views/questions/question-json.ts';
import { book, bookTool } from '../support/asking-fixture.ts';
import { emailFixture, linkIn } from '../support/email-fixture.ts';
import { ada, questionIn } from '../support/flow-fixture.ts';
import { ask as askForDates, done, stay } from '../support/form-fixture.ts';
import { paymentOptions } from '../support/options-fixture.ts';
import { textsOf } from '../support/slack/block-kit.ts';
import { slackFixture } from '../support/slack/slack-fixture.ts';

const toAsk = {
  tools: { askForDates: askPerson({ schema: stay.omit({ guests: true }), title: 'Dates' }) } as never,
};

const hour = 3_600_000;
const always = { signal: new AbortController().signal };
const less = { id: 'less', label: 'Approve 10', then: 'approve', input: () => ({ to: 'alice', amount: 10 }) };
const options = [paymentOptions[0], less, paymentOptions[2]];
const withLines = { words: { lines: [escalationLines(), votesLines()] } };
const twoApprovals = {
  toolDetails: { pay: { approvers: () => true, votes: { count: 2 } } } as never,
};

it('Slack shows a button for each option, and answers with the one that was clicked [0051.3]', async () => {
  const { ask, click, slack, store } = await slackFixture({ toolDetails: { pay: { options } } as never });
  const { id, message } = await ask();
  const buttons = slack.buttons(message()).map(({ text, style }) => [text.text, style]);
  expect(buttons).toEqual([
    ['Approve', 'primary'],
    ['Approve 10', undefined],
    ['Deny', 'danger'],
    ['Open', undefined],
  ]);
  expect(textsOf(message().blocks).join()).toMatch(/What each option does\nApprove 10\n.*Amount: 10/s);
  await click('Approve 10', message());
  expect((await store.questions.read(id))?.answer).toMatchObject({
    approved: true,
    option: { id: 'less' },
    input: { amount: 10 },
    via: 'slack',
  });
});

it('Slack asks for a reason when the option that was clicked denies, and answers with both [0051.3]', async () => {
  const { ask, click, submit, slack, store } = await slackFixture({
    toolDetails: { pay: { options } } as never,
  });
  const { id, message } = await ask();
  await click('Deny', message());
  expect(slack.views).toHaveLength(1);
  expect((await store.questions.read(id))?.state).toBe('open');
  await submit('No invoice.');
  expect((await store.questions.read(id))?.answer).toMatchObject({
    approved: false,
    option: { id: 'deny' },
    reason: 'No invoice.',
    via: 'slack',
  });
});

it('Slack counts a vote, shows it, and refuses a second one of the same person [0051.3]', async () => {
  const { ask, click, slack, store } = await slackFixture(twoApprovals, withLines);
  const { id, message } = await ask();
  await click('Approve', message(), 'U0ADA');
  expect(textsOf(message().blocks)).toContain('1 of 2 approvals: Ada approved.');
  await click('Approve', message(), 'U0ADA');
  await click('Deny', message(), 'U0ADA');
  expect(slack.ephemerals.map(({ user, text }) => [user, text])).toEqual([
    ['U0ADA', 'Your answer is recorded. The request waits for others.'],
    ...Array(2).fill(['U0ADA', 'Your answer to this request is recorded already, and cannot be changed.']),
  ]);
  expect(slack.views).toEqual([]);
  expect((await store.questions.read(id))?.state).toBe('open');
  await click('Approve', message(), 'U0BEN');
  expect((await store.questions.read(id))?.state).toBe('approved');
});

it('a step and a reminder are each posted once in Slack, with the link [0051.2]', async () => {
  const { ask, slack, channel, flow } = await slackFixture();
  const { id } = await ask();
  const question = questionJson(await flow.approvals.read({ principal: ada, approvalId: id }));
  const facts = { timestamp: question.requestedAt };
  const events: SubscriptionEvent[] = [
    { ...facts, id: 'evt_a', type: 'question.escalated', data: { question, plugin: 'escalation' } },
    { ...facts, id: 'evt_b', type: 'question.reminded', data: { question, plugin: 'escalation' } },
  ];
  for (const event of [...events, ...events])
    expect(await channel.subscriber.deliver(event, always)).toBeUndefined();
  const [, ...notices] = slack.list();
  const stillWaiting = Array(2).fill('Still waiting for an answer');
  expect(notices.map(({ text }) => text.replace(/:.*/, ''))).toEqual(stillWaiting);
  for (const notice of notices)
    expect(slack.buttons(notice).map(({ url }) => url)).toEqual([`https://app.example/inbox/${id}`]);
});

it('the messages of a step and a reminder show the outcome, also after a restart [0051.7]', async () => {
  const clock = fakeClock(Date.now());
  const step = { afterMs: 60_000, to: () => true, label: 'managers', remindEveryMs: 2 * hour };
  const { chat, slack, settings, flow } = await slackFixture(
    { clock, sweepMs: 1e9, plugins: [escalation({ steps: [step] })] },
    { clock, ...withLines },
  );
  const id = parseApprovalId(questionIn(await chat().say('Pay.')));
  const deliver = async (type: 'opened' | 'escalated' | 'reminded' | 'settled', by: SlackChannel) => {
    await flow.recover();
    const question = questionJson(await flow.approvals.read({ principal: ada, approvalId: id }));
    const data = { question, ...(/escalated|reminded/.test(type) && { plugin: 'escalation' }) };
    const timestamp = new Date(clock.now()).toISOString();
    const event = { id: `evt_${type}`, type: `question.${type}`, timestamp, data } as SubscriptionEvent;
    expect(await by.subscriber.deliver(event, always)).toBeUndefined();
    return slack.list().map(({ text }) => text.replace(/:.*/, ''));
  };
  const [first, second] = [slackChannel(settings), slackChannel(settings)];
  await deliver('opened', first);
  clock.advance(60_000);
  await deliver('escalated', second);
  clock.advance(2 * hour);
  const shown = await deliver('reminded', second);
  const stillWaiting = Array(2).fill('Still waiting for an answer');
  expect(shown).toEqual(['Approval needed', ...stillWaiting]);
  for (const message of slack.list())
    expect(textsOf(message.blocks).join()).toContain('Escalated to managers at ');
  await flow.approvals.answer({ approvalId: id, principal: ada, approved: false, via: 'test' });
  expect(await deliver('settled', first)).toEqual(Array(3).fill('Denied by Ada'));
  for (const notice of slack.list().slice(1))
    expect(slack.buttons(notice).map(({ text }) => text.text)).toEqual(['Open']);
  const restarted = slackChannel({ ...settings, words: { by: (who) => `by ${who} again` } });
  expect(await deliver('settled', restarted)).toEqual(Array(3).fill('Denied by Ada again'));
});

it('an e-mail names the options and the votes, and a reminder repeats them with the link [0051.10]', async () => {
  const { ask, mailTo, settings, flow } = await emailFixture({
    toolDetails: { pay: { options } } as never,
  });
  const id = await ask();
  const [first] = mailTo('ben@example.com');
  expect(first?.text).toMatch(/What each option does:\n {2}Approve\n {2}Approve 10: /);
  const json = questionJson(await flow.approvals.read({ principal: ada, approvalId: id }));
  const plugins = { votes: { needed: 2 } };
  const question = { ...json, plugins, needsValue: true as const };
  const data = { question, plugin: 'escalation' };
  const event = { id: 'evt_b', timestamp: json.requestedAt, type: 'question.reminded' as const, data };
  expect(await emailChannel({ ...settings, ...withLines }).deliver(event, always)).toBeUndefined();
  const [, reminder] = mailTo('ben@example.com');
  expect(reminder?.text).toMatch(/^This request is still waiting for an answer\./);
  expect(reminder?.text).toContain('0 of 2 approvals.');
  expect(reminder?.text).toContain('The answer needs details. Enter them on the page.');
  expect(reminder?.inReplyTo).toBe(first?.messageId);
  expect(linkIn(reminder?.text)).toMatch(/\/answer\//);
});

it('Slack has no button that approves a question that needs a value, and opens it instead [0051.3]', async () => {
  const { ask, slack } = await slackFixture(toAsk, {}, [[askForDates()], done]);
  const { message } = await ask();
  expect(slack.buttons(message()).map(({ text }) => text.text)).toEqual(['Open']);
  expect(textsOf(message().blocks)).toContain('Open this request to fill in the answer, or to decline.');
  const { tools, toolDetails } = bookTool();
  const running = await slackFixture({ tools, toolDetails }, {}, [[book('b')], done]);
  const asked = (await running.ask()).message();
  expect(running.slack.buttons(asked).map(({ text }) => text.text)).toEqual(['Deny', 'Open']);
  expect(textsOf(asked.blocks)).toContain(
    'To approve this request, open it and enter the details. You can deny it here.',
  );
});
