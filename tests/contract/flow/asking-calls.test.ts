import { type ToolExecutionOptions, type ToolSet, tool } from 'ai';
import { type CallContext, type FlowSettings, type Question, subagent } from 'countersign';
import { verifyAudit } from 'countersign/audit';
import type { FlowPlugin } from 'countersign/plugin';
import type { FlowStore } from 'countersign/store';
import { sqliteStore } from 'countersign/store';
import { fakeClock, scriptedModel } from 'countersign/testing';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { parseApprovalId } from '../../../lib/protocol/index.ts';
import { administeredStoresOfThisRun } from '../../support/administered-store.ts';
import { askingFixture, book, bookTool, done } from '../../support/asking-fixture.ts';
import { checkLog } from '../../support/check-log.ts';
import { ada, flowFixture, questionIn } from '../../support/flow-fixture.ts';
import { task } from '../../support/subagent-fixture.ts';
import { waitFor } from '../../support/wait-for.ts';

const stores = administeredStoresOfThisRun('SQLite');
const auditKey = 'an audit key for tests';
const silent = { warn: () => {}, error: () => {} };
const three = { input: { nights: 3 } };

describe.each(stores)('a running call that asks, on %s', (_name, create) => {
  it('continues in its process after an answer elsewhere, and the record proves it', async () => {
    const { store, another } = create();
    const one = askingFixture([[book('b')], done], { store, auditKey, sweepMs: 1e9 });
    const two = askingFixture([], { store: another(), auditKey, sweepMs: 1e9 });
    const { id, say } = one.chat();
    const approvalId = parseApprovalId(questionIn(await say('Go.')));
    const given = { approvalId, principal: ada, via: 'test' };
    const answers = [true, false].map((approved) =>
      two.flow.approvals.answer({ ...given, approved, ...three }),
    );
    const settled = await Promise.allSettled(answers);
    expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await one.flow.recover();
    await one.chat().resume();
    expect(one.answers).toHaveLength(1);
    expect(two.begun).toEqual([]);
    const log = await one.store.events.read(id, 0);
    expect(log.at(-1)).toMatchObject({ type: 'run-completed' });
    expect(checkLog(log)).toEqual([]);
    const record = await one.flow.audit.read({ chatId: id, principal: ada });
    expect(verifyAudit(record.entries, { key: auditKey, head: record.head })).toBeUndefined();
    for (const { flow } of [one, two]) await flow.close();
  });

  it('continues without an answer if a plugin refuses its question', async () => {
    const broken: FlowPlugin = {
      name: 'broken',
      asked: () => {
        throw new Error('It is broken.');
      },
      setUp: () => ({ methods: {} }),
    };
    const logger = { ...silent, error: vi.fn() };
    const { store } = create();
    const { flow, answers, say, id } = askingFixture([[book('b')], done], {
      store,
      logger,
      plugins: [broken],
    });
    await say('Go.');
    expect(answers).toEqual([{ action: 'decline', reason: 'The question could not be asked.' }]);
    const log = await store.events.read(id, 0);
    expect(log).toContainEqual(expect.objectContaining({ type: 'tool-completed', output: 'decline' }));
    expect(log.at(-1)).toMatchObject({ type: 'run-completed' });
    const facts = expect.objectContaining({ toolCallId: 'b', error: expect.anything() });
    expect(logger.error.mock.calls).toEqual([['A running call could not ask.', facts]]);
    await flow.close();
  });

  it('continues in its process if a plugin that is missing there has recorded an event about the question', async () => {
    const noting: FlowPlugin<'noting', { note(about: Question): Promise<boolean> }> = {
      name: 'noting',
      setUp: ({ record }) => ({
        methods: { note: (about) => record(about, () => ({ name: 'noted', data: true })) },
      }),
    };
    const { store, another } = create();
    const one = askingFixture([[book('b')], done], { store, sweepMs: 1e9 });
    const two = askingFixture([], { store: another(), sweepMs: 1e9, plugins: [noting] });
    const approvalId = parseApprovalId(questionIn(await one.chat().say('Go.')));
    const noted = await two.flow.approvals.read({ approvalId, principal: ada });
    const { noting: methods } = two.flow as unknown as {
      noting: { note(about: Question): Promise<boolean> };
    };
    expect(await methods.note(noted)).toBe(true);
    await two.flow.approvals.answer({ approvalId, principal: ada, via: 'test', approved: true, ...three });
    await one.flow.recover();
    await one.chat().resume();
    expect(one.answers).toEqual([{ action: 'accept', content: { nights: 3 } }]);
    for (const { flow } of [one, two]) await flow.close();
  });

  it('continues once if its process is notified twice at the same time', async () => {
    const { store, another } = create();
    const one = askingFixture([[book('b')], done], { store, sweepMs: 1e9 });
    const two = askingFixture([], { store: another(), sweepMs: 1e9 });
    const { id, say } = one.chat();
    const approvalId = parseApprovalId(questionIn(await say('Go.')));
    await two.flow.approvals.answer({ approvalId, principal: ada, via: 'test', approved: true, ...three });
    await Promise.all([one.flow.recover(), one.flow.recover(), one.flow.recover()]);
    await one.chat().resume();
    expect(one.answers).toEqual([{ action: 'accept', content: { nights: 3 } }]);
    expect(JSON.stringify(await one.store.events.read(id, 0))).not.toContain('unknown');
    for (const { flow } of [one, two]) await flow.close();
  });

  it('is stopped from another instance', async () => {
    const { store, another } = create();
    const one = askingFixture([[book('b')], done], { store, sweepMs: 1e9 });
    const two = askingFixture([], { store: another(), sweepMs: 1e9 });
    await one.chat().say('Go.');
    await two.chat().stop();
    await one.flow.recover();
    await waitFor(async () => expect((await two.chat().view()).run).toEqual({ status: 'idle' }));
    expect(one.answers).toEqual([{ action: 'cancel' }]);
    const log = await one.store.events.read(one.chat().id, 0);
    expect(log.at(-1)).toMatchObject({ type: 'run-cancelled', reason: 'stopped' });
    expect(JSON.stringify(log)).not.toContain('"unknown"');
    expect(checkLog(log)).toEqual([]);
    for (const { flow } of [one, two]) await flow.close();
  });
});

it.each(['another', 'its own'])(
  'a stop on %s instance precedes the run that continues the call',
  async (where) => {
    const store = sqliteStore({ path: ':memory:' });
    const slow: FlowStore = {
      ...store,
      // Meanwhile, the instance of the call continues any run that it finds.
      runs: {
        ...store.runs,
        async requestStop(...run) {
          await one.flow.recover();
          await one.chat().resume();
          await store.runs.requestStop(...run);
        },
      },
    };
    const one = askingFixture([[book('b')], [book('c')], done], { store: slow, sweepMs: 1e9 });
    const two = where === 'another' ? askingFixture([], { store: slow, sweepMs: 1e9 }) : one;
    await one.chat().say('Go.');
    await two.chat().stop();
    await one.flow.recover();
    await waitFor(async () => expect((await two.chat().view()).run).toEqual({ status: 'idle' }));
    expect(one.begun).toEqual(['Ritz']);
    expect(one.answers).toEqual([{ action: 'cancel' }]);
    expect(one.model.calls).toHaveLength(1);
    const log = await store.events.read(one.chat().id, 0);
    expect(log.at(-1)).toMatchObject({ type: 'run-cancelled', reason: 'stopped' });
    expect(JSON.stringify(log)).not.toContain('"unknown"');
    expect(checkLog(log)).toEqual([]);
    for (const { flow } of new Set([one, two])) await flow.close();
  },
);

it('an answer that the sealed record does not prove does not reach the call', async () => {
  const store = sqliteStore({ path: ':memory:' });
  const one = askingFixture([[book('b')], done], { store, auditKey, logger: silent });
  const forger = askingFixture([], { store, logger: silent });
  const approvalId = questionIn(await one.chat().say('Go.'));
  await forger.chat().answer(approvalId, true, three);
  expect(one.answers).toEqual([{ action: 'cancel' }]);
});

it('a question expires at the deadline of its tool', async () => {
  const clock = fakeClock();
  const toolDetails = { book: { mayAsk: true, deadlineMs: 60_000 } } as FlowSettings['toolDetails'];
  const { answers, flow, say, view, resume } = askingFixture([[book('b')], done], { clock, toolDetails });
  const id = questionIn(await say('Go.'));
  clock.advance(60_001);
  await flow.recover();
  await resume();
  expect((await view()).questions).toMatchObject([{ id, state: 'expired' }]);
  expect(answers).toEqual([{ action: 'cancel' }]);
});

it('a tool of a subagent asks, with its path', async () => {
  const { tools, toolDetails, answers } = bookTool();
  const model = scriptedModel([[book('b')], [{ text: 'Booked.' }]]);
  const travel = subagent({ model, tools, toolDetails } as Parameters<typeof subagent>[0], {
    description: 'Travels.',
    inputSchema: task,
    prompt: () => 'Go.',
  });
  const script = [[{ call: 'travel', id: 't', input: { task: 'x' } }], done];
  const { flow, store, say, answer, id } = flowFixture(script, { tools: { travel } as ToolSet });
  const approvalId = questionIn(await say('Go.'));
  expect((await flow.approvals.list({ principal: ada, state: 'open' })).items).toMatchObject([
    { toolName: 'travel/book/ask', title: 'travel → book → ask' },
  ]);
  await answer(approvalId, true, three);
  expect(answers).toEqual([{ action: 'accept', content: { nights: 3 } }]);
  const log = await store.events.read(id, 0);
  expect(log.at(-1)).toMatchObject({ type: 'run-completed', why: 'answered' });
  expect(checkLog(log)).toEqual([]);
});

it('a call that is retried while it asks withdraws its question, and asks again', async () => {
  let attempts = 0;
  const { promise: lost, reject: lose } = Promise.withResolvers<never>();
  const look = tool({
    inputSchema: z.object({}),
    execute: (_input, { context }: ToolExecutionOptions<CallContext>) => {
      attempts += 1;
      const asked = context.ask({ message: 'Which one?' });
      return attempts === 1 ? Promise.race([asked, lost]) : asked;
    },
  });
  const toolDetails = { look: { mayAsk: true, idempotent: true } } as FlowSettings['toolDetails'];
  const settings = { tools: { look } as ToolSet, toolDetails };
  const { store, say, answer, view, id } = flowFixture(
    [[{ call: 'look', id: 'l', input: {} }], done],
    settings,
  );
  const first = questionIn(await say('Go.'));
  lose(Object.assign(new Error('Reset.'), { code: 'ECONNRESET' }));
  const second = await waitFor(async () => {
    const open = (await view()).questions.find(({ state }) => state === 'open');
    expect(open).toBeDefined();
    expect(open?.id).not.toBe(first);
    return open?.id ?? '';
  });
  await answer(second, true);
  const log = await store.events.read(id, 0);
  expect(log.map(({ type }) => type)).toContain('tool-retrying');
  expect(log.at(-1)).toMatchObject({ type: 'run-completed' });
  expect(checkLog(log)).toEqual([]);
});

it('nothing is asked for a run that was asked to stop', async () => {
  const store = sqliteStore({ path: ':memory:' });
  const eager = tool({
    inputSchema: z.object({}),
    async execute(_input, { context }: ToolExecutionOptions<CallContext>) {
      const head = await store.chats.head(context.chatId);
      if (head?.runId) await store.runs.requestStop(context.chatId, head.runId);
      return context.ask({ message: 'Still there?' });
    },
  });
  const toolDetails = { eager: { mayAsk: true } } as FlowSettings['toolDetails'];
  const settings = { store, tools: { eager } as ToolSet, toolDetails };
  const { say, id } = flowFixture([[{ call: 'eager', id: 'e', input: {} }], done], settings);
  expect((await say('Go.')).at(-1)).toEqual({ type: 'abort', reason: 'stopped' });
  const log = await store.events.read(id, 0);
  expect(log.map(({ type }) => type)).not.toContain('approval-requested');
  expect(checkLog(log)).toEqual([]);
});
