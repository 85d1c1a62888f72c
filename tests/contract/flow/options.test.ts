import { tool } from 'ai';
import { notTheAsker, type Principal } from 'countersign';
import { verifyAudit } from 'countersign/audit';
import { remembered } from 'countersign/plugins/remembered';
import { fakeClock } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AnswerRequest, parseApprovalId, redacted } from '../../../lib/protocol/index.ts';
import { ada, questionIn } from '../../support/flow-fixture.ts';
import { done, pay, payingByOption, paymentOptions, upTo100 } from '../../support/options-fixture.ts';

const key = 'an audit key of at least 16';
const ben: Principal = { id: 'ben', name: 'Ben', role: 'manager' };
const logger = { warn: () => {}, error: () => {} };

type Settings = Parameters<typeof payingByOption>[1];

/** A chat whose payment of 250 is asked about. */
async function asked(settings: Settings = {}, amount = 250) {
  const played = payingByOption([[pay(amount)], done, done], {
    auditKey: key,
    logger,
    plugins: [remembered()],
    ...settings,
  });
  const chat = played.chat();
  const approvalId = parseApprovalId(questionIn(await chat.say('Pay Alice.')));
  const answer = (more: Omit<AnswerRequest, 'approvalId'>) => chat.answers([{ approvalId, ...more }]);
  const question = (principal = ada) => played.flow.approvals.read({ principal, approvalId });
  const outside = (more: Omit<AnswerRequest, 'approvalId'>, principal = ada) =>
    played.flow.approvals.answer({ principal, approvalId, via: 'http', ...more });
  return { ...played, chat, approvalId, answer, outside, question };
}

describe('a question with options', () => {
  it('shows what each option would run, and runs what was chosen', async () => {
    const { question, answer, ran, chat, flow } = await asked();
    expect((await question()).options).toEqual([
      { id: 'approve', label: 'Approve', then: 'approve' },
      {
        ...{ id: 'up-to-100', label: 'Approve up to 100', then: 'approve' },
        input: { to: 'Alice', amount: 100 },
        description: 'Pay 100 to Alice.',
      },
      { id: 'deny', label: 'Deny', then: 'deny', reason: 'Ask the payee for an invoice first.' },
    ]);
    await answer({ option: 'up-to-100' });
    expect(ran).toEqual([{ to: 'Alice', amount: 100 }]);
    expect((await question()).answer).toMatchObject({
      approved: true,
      option: { id: 'up-to-100', label: 'Approve up to 100' },
      input: { amount: 100 },
    });
    const record = await flow.audit.read({ principal: ada, chatId: chat.id });
    expect(verifyAudit(record.entries, { key, head: record.head })).toBeUndefined();
    expect(record.entries.filter(({ type }) => type === 'asked' || type === 'answered')).toMatchObject([
      { options: [{ id: 'approve' }, { id: 'up-to-100', input: { amount: 100 } }, { then: 'deny' }] },
      { option: 'up-to-100', approved: true, input: { amount: 100 } },
    ]);
  });

  it('tells the model the reason of a denial, unless the person writes another one', async () => {
    const one = await asked();
    await one.answer({ option: 'deny' });
    const two = await asked();
    await two.answer({ option: 'deny', reason: 'Not today.' });
    const reasons = [one, two].map(({ model }) => JSON.stringify(model.calls[1]?.prompt));
    expect(reasons[0]).toContain('Ask the payee for an invoice first.');
    expect(reasons[1]).toContain('Not today.');
    expect([one.ran, two.ran]).toEqual([[], []]);
    expect((await one.question()).answer).toMatchObject({ approved: false, option: { id: 'deny' } });
  });

  it.each([
    ['an option with its decision', { option: 'up-to-100', approved: true }, 100, 'up-to-100'],
    ['a plain approval', { approved: true }, 250, 'approve'],
    [
      'a plain approval of edited arguments',
      { approved: true, input: { to: 'Alice', amount: 7 } },
      7,
      undefined,
    ],
  ])('accepts %s', async (_, given, amount, option) => {
    const { answer, ran, question } = await asked();
    await answer(given);
    expect(ran).toMatchObject([{ amount }]);
    expect((await question()).answer?.option?.id).toBe(option);
  });

  it.each([
    ['an unknown option', { option: 'up-to-1000' }],
    ['the id of an option of every object', { option: 'constructor' }],
    ['an empty option', { option: '' }],
    ['a denial by an option that approves', { option: 'up-to-100', approved: false }],
    ['an approval by an option that denies', { option: 'deny', approved: true }],
    ['an option with other arguments', { option: 'approve', input: { to: 'Eve', amount: 9 } }],
    [
      'an option to remember, with arguments of its own',
      { option: 'up-to-100', plugins: { remembered: { scope: 'me', match: 'tool' } } as const },
    ],
    ['an answer without a decision', {}],
  ])('refuses %s, and stays open', async (_, given) => {
    const { answer, outside, question, ran } = await asked();
    await expect(answer(given)).rejects.toMatchObject({ code: 'invalid-request' });
    await expect(outside(given)).rejects.toMatchObject({ code: 'invalid-request' });
    expect({ ran, state: (await question()).state }).toEqual({ ran: [], state: 'open' });
  });

  it('refuses an option of another question', async () => {
    const { answer, ran, question } = await asked({}, 50);
    // This question does not offer it: the payment is smaller.
    expect((await question()).options?.map(({ id }) => id)).toEqual(['approve', 'deny']);
    await expect(answer({ option: 'up-to-100' })).rejects.toMatchObject({ code: 'invalid-request' });
    expect(ran).toEqual([]);
  });

  it('refuses an option of a question without options', async () => {
    const { answer, ran } = await asked({ toolDetails: { pay: { options: undefined } } as never });
    await expect(answer({ option: 'approve' })).rejects.toMatchObject({ code: 'invalid-request' });
    expect(ran).toEqual([]);
  });

  it('takes a plain denial even if no option denies', async () => {
    const { answer, ran, question } = await asked({
      options: [{ id: 'all', label: 'Approve', then: 'approve' }, upTo100],
    });
    await answer({ approved: false });
    expect(ran).toEqual([]);
    expect((await question()).answer).toMatchObject({ approved: false });
    expect((await question()).answer?.option).toBeUndefined();
  });

  it('refuses a plain approval, edits and remembering if each option has other arguments', async () => {
    const { answer, question, ran } = await asked({
      options: [upTo100, { ...upTo100, id: 'b', label: 'B' }],
    });
    expect(await question()).toMatchObject({ mayAnswer: true, mayEdit: false, mayRemember: false });
    for (const given of [{}, { input: { to: 'Alice', amount: 7 } }]) {
      await expect(answer({ approved: true, ...given })).rejects.toMatchObject({
        code: 'invalid-request',
        message: expect.stringContaining('up-to-100'),
      });
    }
    await answer({ option: 'up-to-100' });
    expect(ran).toMatchObject([{ amount: 100 }]);
  });

  it('counts the same answer once, and names the stream again', async () => {
    const { outside, ran } = await asked();
    await outside({ option: 'up-to-100' });
    await expect(outside({ option: 'up-to-100' })).rejects.toMatchObject({
      code: 'already-answered',
      fields: { stream_id: expect.any(String) },
    });
    const other = await outside({ option: 'approve' }).catch((error: unknown) => error);
    expect(other).toMatchObject({ code: 'already-answered' });
    expect(other).not.toHaveProperty('fields.stream_id');
    await expect.poll(() => ran.length).toBe(1);
  });
});

describe('the arguments of an option', () => {
  it('are checked by the rules, without an editor: four eyes may choose one', async () => {
    const seen: unknown[] = [];
    const { outside, ran } = await asked({
      toolDetails: {
        pay: {
          approvers: (who: Principal, question: never) => {
            const { input, editedBy } = question as { input: { amount: number }; editedBy?: unknown };
            seen.push([input.amount, editedBy]);
            return notTheAsker(who, question) && input.amount !== 100;
          },
        },
      } as never,
    });
    await expect(outside({ option: 'up-to-100' }, ben)).rejects.toMatchObject({ code: 'forbidden' });
    expect(seen.at(-1)).toEqual([100, undefined]);
    await outside({ option: 'approve' }, ben);
    await expect.poll(() => ran).toMatchObject([{ amount: 250 }]);
  });

  it.each<[string, (input: object) => unknown]>([
    [
      'throws',
      () => {
        throw new Error('secret');
      },
    ],
    ['returns arguments that do not fit', () => ({ to: 'Alice', amount: -1 })],
    ['returns a promise', async () => ({ to: 'Alice', amount: 1 })],
    ['returns keys of a prototype', () => JSON.parse('{"to":"A","amount":1,"__proto__":{"x":1}}')],
  ])('are left out with a log entry if their function %s', async (_, input) => {
    const entries: unknown[] = [];
    const { question } = await asked({
      logger: { ...logger, error: (message, facts) => void entries.push([message, facts]) },
      options: [paymentOptions[0] as never, { ...upTo100, input }],
    });
    expect((await question()).options).toMatchObject([{ id: 'approve' }]);
    expect(JSON.stringify(entries)).toContain('up-to-100');
    expect(JSON.stringify(entries)).not.toContain('secret');
  });

  it('are redacted for people, and cannot have a secret in another place', async () => {
    const iban = 'DE02 1203 0000 0000 2020 51';
    const errors: string[] = [];
    const { flow, ran, say, answers, view, events, id } = payingByOption(
      [[{ call: 'pay', input: { to: 'Alice', amount: 250, iban }, id: 'p' }], done],
      {
        auditKey: key,
        logger: { ...logger, error: (message) => void errors.push(message) },
        toolDetails: { pay: { secrets: { input: ['iban'] } } } as never,
        options: [
          ...paymentOptions.slice(0, 2),
          {
            ...upTo100,
            id: 'leak',
            label: 'Leak',
            input: (payment) => ({ ...payment, to: `For ${payment.iban}` }),
          },
        ],
      },
    );
    const approvalId = parseApprovalId(questionIn(await say('Pay.')));
    const shown = await flow.approvals.read({ principal: ada, approvalId });
    expect(shown.options).toMatchObject([{ id: 'approve' }, { input: { amount: 100, iban: redacted } }]);
    expect(errors).toHaveLength(2);
    await answers([{ approvalId, option: 'up-to-100' }]);
    expect(ran).toEqual([{ to: 'Alice', amount: 100, iban }]);
    const seen = [
      shown,
      await view(),
      await events(),
      await flow.approvals.read({ principal: ada, approvalId }),
    ];
    const record = await flow.audit.read({ principal: ada, chatId: id });
    expect(JSON.stringify([seen, record.entries])).not.toContain(iban);
    expect(verifyAudit(record.entries, { key, head: record.head })).toBeUndefined();
  });

  it('are asked about again if they have changed since', async () => {
    let limit = 100;
    const { answer, ran, question, chat } = await asked({
      options: [
        paymentOptions[0] as never,
        { ...upTo100, input: (payment) => ({ ...payment, amount: limit }) },
      ],
    });
    limit = 99;
    const again = await answer({ option: 'up-to-100' });
    expect((await question()).state).toBe('tool-changed');
    expect(ran).toEqual([]);
    const approvalId = parseApprovalId(questionIn(again));
    await chat.answers([{ approvalId, option: 'up-to-100' }]);
    expect(ran).toMatchObject([{ amount: 99 }]);
  });

  it('are asked about again if the schema makes something else of them', async () => {
    let rate = 1;
    const ran: unknown[] = [];
    const tools = {
      pay: tool({
        inputSchema: z.object({ to: z.string(), amount: z.number().transform((amount) => amount * rate) }),
        needsApproval: true,
        execute: (input) => void ran.push(input),
      }),
    };
    const { answer, question } = await asked({ tools, toolDetails: { pay: { describe: () => 'Pay.' } } });
    rate = 2;
    questionIn(await answer({ option: 'up-to-100' }));
    expect((await question()).state).toBe('tool-changed');
    expect(ran).toEqual([]);
  });

  it('run as they were shown after a restart', async () => {
    const { store, approvalId, flow } = await asked({ clock: fakeClock() });
    await flow.close();
    const second = payingByOption([done], { store, logger, auditKey: key });
    await second.chat().answers([{ approvalId, option: 'up-to-100' }]);
    expect(second.ran).toMatchObject([{ amount: 100 }]);
  });
});
