import type { UIMessage } from 'ai';
import { notTheAsker, type Principal } from 'countersign';
import { verifyAudit } from 'countersign/audit';
import { remembered } from 'countersign/plugins/remembered';
import { sqliteStore } from 'countersign/store';
import { dyingStore, fakeClock } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { type AnswerRequest, parseApprovalId, redacted } from '../../../lib/protocol/index.ts';
import { checkLog } from '../../support/check-log.ts';
import { clientMessage } from '../../support/client-message.ts';
import { deploys } from '../../support/deploys.ts';
import { ada, framed, questionIn, textTypes, types } from '../../support/flow-fixture.ts';
import { ask, askingForDates, dates, done } from '../../support/form-fixture.ts';
import { nested } from '../../support/nested.ts';

const key = 'an audit key of at least 16';
const ben: Principal = { id: 'ben', name: 'Ben', role: 'manager' };
const logger = { warn: () => {}, error: () => {} };

type Settings = Parameters<typeof askingForDates>[1];

/** A chat in which the model asks for dates. */
async function asked(settings: Settings = {}, script = [[ask()], done, done]) {
  const played = askingForDates(script, {
    auditKey: key,
    logger,
    plugins: [remembered()],
    ...settings,
  });
  const chat = played.chat();
  const first = await chat.say('Book a room.');
  const approvalId = parseApprovalId(questionIn(first));
  const answer = (more: Omit<AnswerRequest, 'approvalId'>) => chat.answers([{ approvalId, ...more }]);
  const outside = (more: Omit<AnswerRequest, 'approvalId'>, principal = ada) =>
    played.flow.approvals.answer({ principal, approvalId, via: 'http', ...more });
  const question = (principal = ada) => played.flow.approvals.read({ principal, approvalId });
  const told = () => JSON.stringify(played.model.calls[1]?.prompt.filter(({ role }) => role === 'tool'));
  return { ...played, chat, first, approvalId, answer, outside, question, told };
}

describe('a question to a person', () => {
  it('is asked with the schema of its answer, in the words of the model', async () => {
    const { first, question } = await asked();
    expect(types(first).slice(2, 5)).toEqual([
      'tool-input-start',
      'tool-input-available',
      'tool-approval-request',
    ]);
    expect(await question()).toMatchObject({
      needsValue: true,
      title: 'Dates',
      description: 'The assistant asks: “Which dates suit you?”',
      inputSchema: { properties: { nights: { type: 'integer' } } },
      mayAnswer: true,
      mayEdit: true,
      mayRemember: false,
    });
  });

  it('ends with the value as the result of the call, in one append with the answer', async () => {
    const { answer, question, told, chat, flow, store } = await asked();
    await answer({ approved: true, value: dates });
    expect(told()).toContain(JSON.stringify(dates));
    expect((await question()).answer).toMatchObject({ approved: true, value: dates });
    const log = await store.events.read(chat.id, 0);
    expect(checkLog(log)).toEqual([]);
    const from = log.findIndex(({ type }) => type === 'approval-answered');
    expect(log.slice(from - 1, from + 3).map(({ type }) => type)).toEqual([
      'run-started',
      'approval-answered',
      'tool-started',
      'tool-completed',
    ]);
    const { entries, head } = await flow.audit.read({ principal: ada, chatId: chat.id });
    expect(verifyAudit(entries, { key, head })).toBeUndefined();
    expect(entries.find(({ type }) => type === 'answered')).toMatchObject({ value: dates });
    expect((await chat.view()).messages.at(-1)?.parts).toContainEqual(
      expect.objectContaining({ type: 'tool-askForDates', state: 'output-available', output: dates }),
    );
  });

  it('can be declined, with a reason for the model', async () => {
    const { answer, told } = await asked();
    await answer({ approved: false, reason: 'I do not know yet.' });
    expect(told()).toContain('I do not know yet.');
  });

  it.each([
    ['an approval without a value', { approved: true }],
    ['a value that does not fit', { approved: true, value: { ...dates, nights: 0 } }],
    ['a value that is not an object', { approved: true, value: 'tomorrow' }],
    ['null', { approved: true, value: null }],
    ['arguments', { approved: true, input: { question: 'Other?' } }],
    ['arguments beside the value', { approved: true, value: dates, input: {} }],
    [
      'a value to remember',
      { approved: true, value: dates, plugins: { remembered: { scope: 'me', match: 'tool' } } as const },
    ],
    ['an option', { option: 'approve', value: dates }],
    ['a denial with a value', { approved: false, value: dates }],
    [
      'a value that is too large',
      { approved: true, value: { ...dates, guests: [{ name: 'a'.repeat(70_000) }] } },
    ],
    ['a value that is nested too deep', { approved: true, value: { ...dates, more: nested(700) } }],
  ])('refuses %s, and stays open', async (_, given) => {
    const { answer, outside, question, model } = await asked();
    await expect(answer(given)).rejects.toMatchObject({ code: 'invalid-request' });
    await expect(outside(given)).rejects.toMatchObject({ code: 'invalid-request' });
    expect({ state: (await question()).state, models: model.calls.length }).toEqual({
      state: 'open',
      models: 1,
    });
    await answer({ approved: true, value: dates });
  });

  it('names the fields that do not fit', async () => {
    const { answer } = await asked();
    const refused = await answer({ approved: true, value: { from: 'soon', nights: 1 } }).catch(
      (error) => error,
    );
    expect(refused).toMatchObject({ fields: { fieldErrors: [{ path: '/from' }] } });
  });

  it('drops keys that the schema does not know', async () => {
    const { answer, told } = await asked();
    await answer({ approved: true, value: { ...dates, constructor: { prototype: { admin: true } } } });
    expect(told()).not.toContain('admin');
  });

  it('is asked whatever the gate says, unless it denies', async () => {
    for (const toolApproval of [
      () => 'approved',
      { askForDates: 'not-applicable' },
      { askForDates: () => 'approved' },
    ]) {
      const { question } = await asked({ toolApproval } as never);
      expect((await question()).state).toBe('open');
    }
    const denied = askingForDates([[ask()], done], { toolApproval: { askForDates: 'denied' } as never });
    expect(types(await denied.chat().say('Book.'))).toContain('tool-output-denied');
  });

  it('can be filled in by another person, and by nobody whom the rules exclude', async () => {
    const { outside, question, told } = await asked({
      toolDetails: { askForDates: { approvers: notTheAsker } } as never,
    });
    expect(await question(ben)).toMatchObject({ mayAnswer: true, mayEdit: true });
    await expect(outside({ approved: true, value: dates })).rejects.toMatchObject({ code: 'forbidden' });
    await outside({ approved: true, value: dates }, ben);
    await expect.poll(told).toContain('"nights":3');
  });

  it('keeps secrets of the value from people, and gives them to the model', async () => {
    const { answer, told, chat, flow, question } = await asked({
      toolDetails: { askForDates: { secrets: { output: ['from'] } } } as never,
    });
    await answer({ approved: true, value: dates });
    expect(told()).toContain(dates.from);
    const record = await flow.audit.read({ principal: ada, chatId: chat.id });
    const seen = JSON.stringify([await chat.view(), await chat.events(), await question(), record.entries]);
    expect(seen).not.toContain(dates.from);
    expect((await question()).answer?.value).toEqual({ from: redacted, nights: 3 });
  });

  it('counts the first value, and names its stream to who sends it again', async () => {
    const { outside } = await asked();
    await outside({ approved: true, value: dates });
    await expect(outside({ approved: true, value: dates })).rejects.toMatchObject({
      code: 'already-answered',
      fields: { stream_id: expect.any(String) },
    });
    const other = await outside({ approved: true, value: { ...dates, nights: 4 } }).catch((error) => error);
    expect(other).not.toHaveProperty('fields.stream_id');
  });

  it('is asked again if the schema of its answer has changed', async () => {
    const { approvalId, store, flow } = await asked();
    await flow.close();
    const second = askingForDates([done], {
      store,
      auditKey: key,
      logger,
      toolDetails: { askForDates: { version: '2' } } as never,
    });
    const again = await second.chat().answers([{ approvalId, approved: true, value: dates }]);
    expect(questionIn(again)).not.toBe(approvalId);
    expect(second.model.calls).toHaveLength(0);
  });
});

describe('the value as the output of the call', () => {
  it.each(['final', 'progressive', 'hold-after-question'] as const)(
    'begins the same steps in a %s chat, live and stored',
    async (release) => {
      const { chat, first } = await asked({ release });
      const client = clientMessage();
      await client.read(first);
      client.output('a', dates);
      await client.read(await chat.output('a', dates));
      const marksIn = ({ parts }: Pick<UIMessage, 'parts'>) => parts.map(({ type }) => type);
      const stored = (await chat.view()).messages.at(-1);
      expect(stored && marksIn(stored)).toEqual(marksIn(client.value));
    },
  );

  it('is taken once, validated, and not sent back to the client that has it', async () => {
    const { chat, question, told, store } = await asked();
    const rest = await chat.output('a', dates);
    expect(types(rest)).toEqual(framed(...textTypes));
    expect(told()).toContain(JSON.stringify(dates));
    expect((await question()).answer).toMatchObject({ approved: true, value: dates });
    // A repeated output gets the same response again, whatever it says.
    expect(types(await chat.output('a', { ...dates, nights: 9 }))).toContain('text-delta');
    expect(
      (await store.events.read(chat.id, 0)).filter(({ type }) => type === 'tool-completed'),
    ).toHaveLength(1);
    // Other readers get the answer and the value.
    expect((await chat.view()).messages.at(-1)?.parts).toContainEqual(
      expect.objectContaining({
        state: 'output-available',
        output: dates,
        approval: expect.objectContaining({ approved: true }),
      }),
    );
  });

  it.each([
    ['does not fit', { nights: 'many' }],
    ['is too large', { ...dates, guests: [{ name: 'a'.repeat(70_000) }] }],
  ])('is refused if it %s, and the question stays open', async (_, value) => {
    const { chat, question } = await asked();
    await expect(chat.output('a', value)).rejects.toMatchObject({ code: 'invalid-request' });
    expect((await question()).state).toBe('open');
    await chat.output('a', dates);
    expect((await question()).state).toBe('approved');
  });

  it('cannot be an error', async () => {
    const { chat, question } = await asked();
    const outputs = [{ toolCallId: 'a' as never, errorText: 'The dialog was closed.' }];
    await expect(chat.answers([], outputs)).rejects.toMatchObject({ code: 'invalid-request' });
    expect((await question()).state).toBe('open');
  });
});

describe('after a crash', () => {
  it('the value survives, and the model gets it once', async () => {
    const { path } = deploys();
    const start = Date.UTC(2030, 0, 1);
    const [clock, later] = [fakeClock(start), fakeClock(start + 60_000)];
    const dying = dyingStore(sqliteStore({ path }), { when: 'after', event: 'approval-answered' });
    const first = askingForDates([[ask()], done], { clock, store: dying.store, auditKey: key, logger });
    const approvalId = parseApprovalId(questionIn(await first.chat().say('Book.')));
    void first.chat().answers([{ approvalId, approved: true, value: dates }]);
    await dying.died;
    const second = askingForDates([done], {
      ...{ clock: later, store: sqliteStore({ path }), auditKey: key, logger },
    });
    await second.flow.recover();
    await second.chat().resume();
    expect(second.model.calls).toHaveLength(1);
    expect(JSON.stringify(second.model.calls[0]?.prompt)).toContain(JSON.stringify(dates));
    const log = await second.store.events.read(second.chat().id, 0);
    expect(log.filter(({ type }) => type === 'tool-completed')).toHaveLength(1);
    expect(checkLog(log)).toEqual([]);
  });
});
