import { fakeClock } from 'countersign/testing';
import { expect } from 'vitest';
import { adr } from '../support/adr.ts';
import { ada, questionIn } from '../support/flow-fixture.ts';
import {
  counts,
  done,
  lenient,
  type Policy,
  pay,
  payingFlow,
  playPayments,
  policy,
  strict,
} from '../support/rehearsal/fixture.ts';

const { clause } = adr('0046-rehearsed-policies.md');
const all = { since: 0 };

clause('0046.1', async () => {
  const before = await playPayments(5, lenient);
  const after = await playPayments(5, strict);
  const rehearsal = await before.flow.rehearsal.run({ ...all, policy: strict });
  expect(rehearsal).toMatchObject({ chats: 5, calls: 100, recorded: before.counts, rehearsed: after.counts });
  expect(rehearsal.rehearsed).not.toEqual(rehearsal.recorded);
});

clause('0046.2', async () => {
  const { chat, flow, ran, model, say, answer } = payingFlow([[pay(600)], done]);
  await answer(questionIn(await say('Pay Alice.')), true);
  await say('Thank you.');
  const seen: unknown[] = [];
  const toolApproval: Policy = ({ toolCall, messages, principal, chatId }) => {
    seen.push({ toolCall, messages, principal, chatId });
    return 'denied';
  };
  const events = await chat().events();
  const { changes } = await flow.rehearsal.run({ ...all, policy: toolApproval });
  expect(seen).toMatchObject([
    {
      toolCall: { toolName: 'pay', input: { to: 'Alice', amount: 600 } },
      messages: [{ role: 'user', content: [{ text: 'Pay Alice.' }] }],
      principal: ada,
      chatId: 'chat',
    },
  ]);
  expect(changes).toMatchObject([{ from: 'asked', to: 'denied', calls: 1, people: 1 }]);
  expect({ ran, models: model.calls.length }).toEqual({ ran: [600], models: 3 });
  expect(await chat().events()).toEqual(events);
});

clause('0046.3', async () => {
  const steps = [[pay(600), pay(700), pay(650), pay(20)], done];
  const clock = fakeClock();
  const { chat, flow, say, answer } = payingFlow([...steps, ...steps], { clock });
  const second = questionIn(await answer(questionIn(await say('Pay them.')), true));
  const third = questionIn(await answer(second, false, { reason: 'Too much.' }));
  await answer(third, true, { input: { to: 'Alice', amount: 5 } });
  clock.advance(1_000);
  await chat('other', { id: 'ben', name: 'Ben' }).say('Pay them.');
  clock.advance(1);

  const toolApproval = policy(
    (amount) => (amount >= 600 ? undefined : { type: 'denied', reason: 'Too little.' }) as never,
  );
  const { changes } = await flow.rehearsal.run({ ...all, policy: toolApproval, examples: 2 });
  expect(changes).toMatchObject([
    {
      ...{ from: 'asked', to: 'allowed', calls: 6, people: 2, tools: { pay: 6 } },
      answers: { approved: 1, denied: 1, edited: 1, remembered: 0, none: 3 },
      examples: [
        { chatId: 'other', toolName: 'pay', askedBy: { id: 'ben', name: 'Ben' }, answer: 'none' },
        { chatId: 'other' },
      ],
    },
    {
      ...{ from: 'allowed', to: 'denied', calls: 2, people: 2 },
      examples: [{ chatId: 'other', input: { amount: 20 }, reason: 'Too little.' }, { chatId: 'chat' }],
    },
  ]);
  expect(changes[1]?.answers).toBeUndefined();
});

clause('0046.4', async () => {
  const describe = ({ to }: { to: string }) => `Pay ${to}`;
  const details = { describe: describe as never, secrets: { input: ['to'] } };
  const cases = [
    { before: details, now: details },
    { before: details, now: { describe: details.describe } },
    { before: { describe: details.describe }, now: details },
  ];
  const toolApproval = policy((_, to) => ({ type: 'denied', reason: `${to} is blocked.` }) as never);
  for (const { before, now } of cases) {
    const { chat, store } = payingFlow([[pay(600, 'DE02 1203')]], { toolDetails: { pay: before } });
    await chat().say('Pay.');
    const { flow } = payingFlow([], { store, toolDetails: { pay: now } });
    const rehearsal = await flow.rehearsal.run({ ...all, policy: toolApproval });
    expect(rehearsal.changes[0]?.examples).toHaveLength(1);
    expect(JSON.stringify(rehearsal)).not.toContain('1203');
  }
});

clause('0046.5', async () => {
  const logged: unknown[] = [];
  const log = (...facts: unknown[]) => void logged.push(facts);
  const { chat, flow } = payingFlow([[pay(10), pay(600)]], { logger: { warn: log, error: log } });
  await chat().say('Pay.');
  const toolApproval = policy((amount) => {
    if (amount === 10) throw new Error('No.');
    return 'approved';
  });
  const { rehearsed } = await flow.rehearsal.run({ ...all, policy: toolApproval });
  expect(rehearsed).toEqual(counts({ failed: 1, allowed: 1 }));
  expect(logged).toEqual([]);
});
