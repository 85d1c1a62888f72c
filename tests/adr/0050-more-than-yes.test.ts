import { type AnswerOption, notTheAsker, type Principal } from 'countersign';
import { expect } from 'vitest';
import { chooseOption } from '../../lib/commands/answer/option/chosen-option.ts';
import { parseApprovalId } from '../../lib/protocol/index.ts';
import { mayAnswer } from '../../lib/rights/right-to-answer.ts';
import { editedBy, withInput } from '../../lib/rights/ruled-question.ts';
import { adr } from '../support/adr.ts';
import { ada, questionIn, types } from '../support/flow-fixture.ts';
import { ask, askingForDates, dates } from '../support/form-fixture.ts';
import {
  done,
  type Payment,
  pay,
  payingByOption,
  paymentOptions,
  upTo100,
} from '../support/options-fixture.ts';

const { clause } = adr('0050-more-than-yes.md');

const ben: Principal = { id: 'ben', name: 'Ben' };
const logger = { warn: () => {}, error: () => {} };
const [approve] = paymentOptions;

async function paying(settings: Parameters<typeof payingByOption>[1] = {}) {
  const played = payingByOption([[pay(250)], done, done], { logger, ...settings });
  const chat = played.chat();
  const approvalId = parseApprovalId(questionIn(await chat.say('Pay Alice.')));
  const question = () => played.flow.approvals.read({ principal: ben, approvalId });
  const own = () => played.flow.approvals.read({ principal: ada, approvalId });
  return { ...played, chat, approvalId, question, own };
}

async function asking(settings: Parameters<typeof askingForDates>[1] = {}) {
  const played = askingForDates([[ask()], done, done], { logger, ...settings });
  const chat = played.chat();
  const approvalId = parseApprovalId(questionIn(await chat.say('Book a room.')));
  return { ...played, chat, approvalId };
}

/** An option whose arguments depend on more than the call. */
function moving(limit: { amount: number }): AnswerOption<Payment>[] {
  return [
    approve as AnswerOption<Payment>,
    { ...upTo100, input: (call) => ({ ...call, amount: limit.amount }) },
  ];
}

clause('0050.1', async () => {
  const { own, chat, approvalId, ran } = await paying();
  const shown = (await own()).options?.[1]?.input;
  await chat.answers([{ approvalId, option: 'up-to-100' }]);
  expect(ran).toEqual([shown]);
  // Rejected: the arguments are made when the option is chosen.
  const limit = { amount: 100 };
  const [, option] = moving(limit);
  limit.amount = 5_000;
  expect(option?.input?.({ to: 'Alice', amount: 250 })).not.toEqual(shown);
});

clause('0050.2', async () => {
  const limit = { amount: 100 };
  const { chat, approvalId, own, ran } = await paying({ options: moving(limit) });
  limit.amount = 5_000;
  const again = await chat.answers([{ approvalId, option: 'up-to-100' }]);
  expect({ ran, state: (await own()).state }).toEqual({ ran: [], state: 'tool-changed' });
  expect(questionIn(again)).not.toBe(approvalId);
});

clause('0050.3', async () => {
  const { chat, approvalId, own, ran } = await paying();
  for (const given of [
    { option: 'up-to-1000' },
    { option: 'up-to-100', approved: false },
    { option: 'deny', approved: true },
    { option: 'approve', input: { to: 'Eve', amount: 1 } },
  ]) {
    await expect(chat.answers([{ approvalId, ...given }])).rejects.toMatchObject({ code: 'invalid-request' });
  }
  expect({ ran, state: (await own()).state }).toEqual({ ran: [], state: 'open' });
});

clause('0050.4', async () => {
  const one = await paying();
  await one.chat.answers([{ approvalId: one.approvalId, approved: true }]);
  expect({ ran: one.ran, option: (await one.own()).answer?.option?.id }).toEqual({
    ran: [{ to: 'Alice', amount: 250 }],
    option: 'approve',
  });
  const two = await paying({ options: [upTo100, { ...upTo100, id: 'other', label: 'Other' }] });
  const plain = (approved: boolean) => two.chat.answers([{ approvalId: two.approvalId, approved }]);
  await expect(plain(true)).rejects.toMatchObject({ code: 'invalid-request' });
  // Rejected: the first option that approves, whatever its arguments.
  const { options = [] } = await two.own();
  expect(
    chooseOption({ id: two.approvalId, options }, { approvalId: two.approvalId, approved: true }).decided,
  ).toBe(undefined);
  expect(options[0]?.input).not.toEqual((await two.own()).input);
  await plain(false);
  expect((await two.own()).state).toBe('denied');
});

clause('0050.5', async () => {
  const { flow, approvalId, question, ran } = await paying({
    toolDetails: { pay: { approvers: notTheAsker } } as never,
  });
  const asked = await question();
  await flow.approvals.answer({ principal: ben, approvalId, option: 'up-to-100', via: 'http' });
  await expect.poll(() => ran).toEqual([{ to: 'Alice', amount: 100 }]);
  // Rejected: the person who chooses counts as the editor.
  const rules = { toolDetails: { pay: { approvers: notTheAsker } } } as never;
  expect(await mayAnswer(rules, ben, withInput(asked, { amount: 100 }))).toBe(true);
  expect(await mayAnswer(rules, ben, editedBy(ben, asked, { amount: 100 }))).toBe(false);
});

clause('0050.6', async () => {
  const { flow, chat, approvalId } = await paying({ auditKey: 'an audit key of at least 16' });
  await chat.answers([{ approvalId, option: 'up-to-100' }]);
  const { entries } = await flow.audit.read({ principal: ada, chatId: chat.id });
  expect(entries.find(({ type }) => type === 'answered')).toMatchObject({
    option: 'up-to-100',
    input: { amount: 100 },
  });
});

clause('0050.7', async () => {
  const { chat, approvalId, store, model } = await asking();
  await chat.answers([{ approvalId, approved: true, value: dates }]);
  const log = await store.events.read(chat.id, 0);
  const from = log.findIndex(({ type }) => type === 'approval-answered');
  expect(log.slice(from, from + 3)).toMatchObject([
    { type: 'approval-answered', value: dates },
    { type: 'tool-started' },
    { type: 'tool-completed', output: dates },
  ]);
  expect(JSON.stringify(model.calls[1]?.prompt)).toContain(JSON.stringify(dates));
});

clause('0050.8', async () => {
  const { flow, chat, approvalId } = await asking();
  const value = { ...dates, nights: 0 };
  const refused = { code: 'invalid-request' };
  await expect(chat.answers([{ approvalId, approved: true, value }])).rejects.toMatchObject(refused);
  await expect(chat.output('a', value)).rejects.toMatchObject(refused);
  const outside = flow.approvals.answer({ principal: ada, approvalId, approved: true, value, via: 'http' });
  await expect(outside).rejects.toMatchObject(refused);
  expect((await flow.approvals.read({ principal: ada, approvalId })).state).toBe('open');
});

clause('0050.9', async () => {
  const { flow, approvalId } = await asking({ toolApproval: () => 'approved' });
  expect((await flow.approvals.read({ principal: ada, approvalId })).state).toBe('open');
  const denied = askingForDates([[ask()], done], { toolApproval: () => 'denied' });
  expect(types(await denied.chat().say('Book a room.'))).toContain('tool-output-denied');
});

clause('0050.10', async () => {
  const { chat, flow, approvalId, store } = await asking();
  expect(types(await chat.output('a', dates))).not.toContain('tool-output-available');
  await chat.output('a', { ...dates, nights: 9 });
  const ends = (await store.events.read(chat.id, 0)).filter(({ type }) => type === 'tool-completed');
  expect(ends).toMatchObject([{ output: dates }]);
  expect((await flow.approvals.read({ principal: ada, approvalId })).answer).toMatchObject({ value: dates });
  const other = await asking({ toolDetails: { askForDates: { approvers: notTheAsker } } as never });
  await expect(other.chat.output('a', dates)).rejects.toMatchObject({ code: 'forbidden' });
  const stays = other.flow.approvals.read({ principal: ben, approvalId: other.approvalId });
  expect((await stays).state).toBe('open');
});
