import { type ToolExecutionOptions, type ToolSet, tool } from 'ai';
import { type CallContext, elicitations, type FlowSettings, notTheAsker } from 'countersign';
import type { FlowEvent } from 'countersign/plugin';
import { remembered } from 'countersign/plugins/remembered';
import { sqliteStore } from 'countersign/store';
import { dyingStore, fakeClock, type Script } from 'countersign/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import { foldTurn } from '../../lib/log/turn/fold-turn.ts';
import { type Principal, parseApprovalId } from '../../lib/protocol/index.ts';
import { editedBy } from '../../lib/rights/ruled-question.ts';
import { nextAction } from '../../lib/run/next-action.ts';
import { adr } from '../support/adr.ts';
import { askingFixture, book, done } from '../support/asking-fixture.ts';
import { checkLog } from '../support/check-log.ts';
import { deploys } from '../support/deploys.ts';
import { ada, flowFixture, framed, questionIn, questionTypes, types } from '../support/flow-fixture.ts';
import { waitFor } from '../support/wait-for.ts';

const { clause } = adr('0037-a-running-call-asks.md');

const three = { input: { nights: 3 } };

const ofCall = (log: readonly FlowEvent[], id: string) =>
  log.filter((event) => 'toolCallId' in event && event.toolCallId === id).map(({ type }) => type);
const endOf = (log: readonly FlowEvent[], id: string) =>
  log.find((event) => event.type.startsWith('tool-') && 'modelOutput' in event && event.toolCallId === id);

clause('0037.1', async () => {
  const { answers, model, store, flow, say, answer, id, view } = askingFixture([[book('b')], done]);
  const first = await say('Go.');
  expect(types(first)).toEqual(framed(...questionTypes));
  const approvalId = questionIn(first);
  expect(
    await flow.approvals.read({ principal: ada, approvalId: parseApprovalId(approvalId) }),
  ).toMatchObject({
    toolName: 'book/ask',
    title: 'book → ask',
    description: 'How many nights at Ritz?',
    inputSchema: { properties: { nights: { type: 'integer' } }, required: ['nights'] },
    mayEdit: true,
  });
  await answer(approvalId, true, three);
  expect(answers).toEqual([{ action: 'accept', content: { nights: 3 } }]);
  const [, second] = model.calls;
  expect(second?.prompt.filter(({ role }) => role === 'tool')).toMatchObject([
    { content: [{ toolCallId: 'b', output: { value: '3 nights at Ritz' } }] },
  ]);
  const log = await store.events.read(id, 0);
  expect(ofCall(log, 'b')).toEqual(['tool-requested', 'tool-started', 'tool-completed']);
  expect(checkLog(log)).toEqual([]);
  expect((await view()).messages.at(-1)?.parts).toMatchObject([
    { type: 'step-start' },
    { type: 'dynamic-tool', toolName: 'book/ask', state: 'output-available', output: { nights: 3 } },
    { type: 'step-start' },
    { type: 'text', text: 'Done.' },
    { type: 'tool-book', state: 'output-available', output: '3 nights at Ritz' },
  ]);
});

clause('0037.2', async () => {
  const { answers, say, answer } = askingFixture([[book('b')], done]);
  await answer(questionIn(await say('Go.')), false, { reason: 'Too far.' });
  expect(answers).toEqual([{ action: 'decline', reason: 'Too far.' }]);
});

clause('0037.3', async () => {
  const store = sqliteStore({ path: ':memory:' });
  const one = askingFixture([[book('b')], done], { store });
  const two = askingFixture([], { store });
  const id = questionIn(await one.chat().say('Go.'));
  const { id: chatId } = one.chat();
  expect(await store.chats.head(chatId)).toMatchObject({ status: 'waiting', open: id });
  const interrupted = foldTurn(await store.events.read(chatId, 0));

  const last = await two.chat().answer(id, true, three);
  expect(types(last)).toContain('tool-output-available');
  expect(one.answers).toEqual([{ action: 'accept', content: { nights: 3 } }]);
  expect([one.model.calls.length, two.model.calls.length]).toEqual([2, 0]);
  expect(checkLog(await store.events.read(chatId, 0))).toEqual([]);

  // Without a notification, the process finds the run when it looks.
  const { path } = deploys();
  const third = askingFixture([[book('b')], done], { store: sqliteStore({ path }) });
  const fourth = askingFixture([], { store: sqliteStore({ path }) });
  const other = parseApprovalId(questionIn(await third.chat().say('Go.')));
  await fourth.flow.approvals.answer({
    approvalId: other,
    approved: true,
    ...three,
    principal: ada,
    via: 'test',
  });
  await third.flow.recover();
  await third.chat().resume();
  expect(third.answers).toHaveLength(1);

  // Rejected: any instance continues. For it, the call was interrupted.
  expect(nextAction(interrupted)).toMatchObject({
    type: 'end-interrupted',
    calls: [{ requested: { toolCallId: 'b' } }],
  });
});

clause('0037.4', async () => {
  const { path } = deploys();
  const start = Date.UTC(2030, 0, 1);
  const [clock, later] = [fakeClock(start), fakeClock(start + 10_000)];
  const dying = dyingStore(sqliteStore({ path }), { when: 'after', event: 'run-suspended' });
  void askingFixture([[book('b')]], { clock, store: dying.store })
    .chat('lost')
    .say('Go.');
  await dying.died;
  const script: Script = ({ prompt }) => (prompt.some(({ role }) => role === 'tool') ? done : [book('b')]);
  const alive = askingFixture(script, { clock, store: sqliteStore({ path }) });
  const kept = questionIn(await alive.chat('kept').say('Go.'));
  const open = async () => {
    const { items } = await alive.flow.approvals.list({ principal: ada, state: 'open' });
    return items.map(({ id }) => id);
  };
  await alive.flow.recover();
  expect(await open()).toHaveLength(2);

  clock.advance(10_000);
  await alive.flow.recover();
  const { resume, id } = alive.chat('lost');
  await resume();
  const log = await alive.store.events.read(id, 0);
  expect(log.find(({ type }) => type === 'approval-withdrawn')).toMatchObject({ reason: 'cancelled' });
  expect(endOf(log, 'b')).toMatchObject({ type: 'tool-failed', outcome: 'unknown' });
  expect(log.at(-1)).toMatchObject({ type: 'run-completed' });
  expect(checkLog(log)).toEqual([]);
  expect(await open()).toEqual([kept]);

  const another = askingFixture([], { clock: later, store: sqliteStore({ path }) });
  await another.flow.recover();
  expect(await open()).toEqual([kept]);
});

clause('0037.5', async () => {
  const { chat, answers, store } = askingFixture(() => [book('b')]);
  const stopped = chat('stopped');
  await stopped.say('Go.');
  await stopped.stop();
  expect(answers).toEqual([{ action: 'cancel' }]);
  const log = await store.events.read(stopped.id, 0);
  expect(endOf(log, 'b')).not.toMatchObject({ outcome: 'unknown' });
  expect(log.at(-1)).toMatchObject({ type: 'run-cancelled', reason: 'stopped' });
  expect(checkLog(log)).toEqual([]);

  const superseded = chat('superseded');
  await superseded.say('Go.');
  await superseded.say('No, wait.');
  await waitFor(() => expect(answers).toEqual([{ action: 'cancel' }, { action: 'cancel' }]));
  const later = await store.events.read(superseded.id, 0);
  expect(endOf(later, 'b')).toMatchObject({ outcome: 'unknown' });
  expect(checkLog(later)).toEqual([]);

  const { promise: gaveUp, resolve: giveUp } = Promise.withResolvers<string>();
  const impatient = tool({
    inputSchema: z.object({}),
    execute: (_input, { context }: ToolExecutionOptions<CallContext>) =>
      Promise.race([gaveUp, context.ask({ message: 'Well?' })]),
  });
  const toolDetails = { impatient: { mayAsk: true } } as FlowSettings['toolDetails'];
  const own = { tools: { impatient } as ToolSet, toolDetails };
  const { chat: other, flow } = flowFixture([[{ call: 'impatient', id: 'i', input: {} }], done], own);
  const { say, view, resume } = other();
  const id = questionIn(await say('Go.'));
  giveUp('Nobody came.');
  await waitFor(async () => expect((await view()).questions).toMatchObject([{ id, state: 'cancelled' }]));
  await resume();
  expect((await view()).messages.at(-1)?.parts).toContainEqual(
    expect.objectContaining({ type: 'tool-impatient', output: 'Nobody came.' }),
  );
  await flow.close();
});

clause('0037.6', async () => {
  const { answers, begun, store, say, answer, id } = askingFixture([
    [book('a', 'Ritz'), book('b', 'Hilton')],
    done,
  ]);
  const first = await say('Go.');
  expect(begun).toEqual(['Ritz', 'Hilton']);
  const second = await answer(questionIn(first), true, three);
  expect(types(second)).toEqual(framed('tool-approval-response', ...questionTypes));
  await answer(questionIn(second), false);
  expect(answers).toEqual([{ action: 'accept', content: { nights: 3 } }, { action: 'decline' }]);
  const log = await store.events.read(id, 0);
  const parents = log.flatMap((event) => (event.type === 'tool-requested' ? [event.parent] : []));
  expect(parents).toEqual([undefined, undefined, 'a', 'b']);
  expect(checkLog(log)).toEqual([]);

  // One after another, the second one starts when the first one has ended.
  const inTurn = askingFixture([[book('a', 'Ritz'), book('b', 'Hilton')], done], { toolCallConcurrency: 1 });
  const limited = inTurn.chat();
  const asked = await limited.say('Go.');
  expect(inTurn.begun).toEqual(['Ritz']);
  const next = await limited.answer(questionIn(asked), true, three);
  expect(inTurn.begun).toEqual(['Ritz', 'Hilton']);
  await limited.answer(questionIn(next), true, three);
  expect(inTurn.answers).toHaveLength(2);
});

clause('0037.7', async () => {
  const { answers, store, say, answer, id } = askingFixture([[book('b')], done]);
  const approvalId = questionIn(await say('Go.'));
  const { seq } = (await store.chats.head(id)) ?? {};
  for (const input of [undefined, {}, { nights: '3' }, { nights: 1.5 }, { nights: 1, more: 2 }, 'no']) {
    await expect(answer(approvalId, true, { input })).rejects.toMatchObject({ code: 'invalid-request' });
  }
  await expect(answer('apr_forged', true, three)).rejects.toMatchObject({ code: 'not-found' });
  await expect(answer(approvalId, true, { ...three, shownInput: { nights: 9 } })).rejects.toMatchObject({
    code: 'input-mismatch',
  });
  expect((await store.chats.head(id))?.seq).toBe(seq);
  const given = await answer(approvalId, true, three);
  expect(types(await answer(approvalId, true, { input: { nights: 9 } }))).toEqual(types(given));
  expect(answers).toEqual([{ action: 'accept', content: { nights: 3 } }]);
});

clause('0037.8', async () => {
  const eve: Principal = { id: 'eve', name: 'Eve' };
  const toolDetails = { book: { mayAsk: true, approvers: ({ id }: Principal) => id === 'eve' } };
  const settings = { toolDetails: toolDetails as FlowSettings['toolDetails'], plugins: [remembered()] };
  const { answers, flow, say, answer, resume } = askingFixture([[book('b')], done], settings);
  const approvalId = parseApprovalId(questionIn(await say('Go.')));
  await expect(answer(approvalId, true, three)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await flow.approvals.read({ principal: eve, approvalId })).toMatchObject({
    mayAnswer: true,
    mayRemember: false,
  });
  const given = { approvalId, approved: true, ...three, principal: eve, via: 'test' };
  await expect(
    flow.approvals.answer({ ...given, plugins: { remembered: { scope: 'chat' } } as never }),
  ).rejects.toMatchObject({
    code: 'invalid-request',
  });
  await flow.approvals.answer(given);
  await resume();
  expect(answers).toHaveLength(1);

  const fourEyes = { book: { mayAsk: true, approvers: notTheAsker } } as FlowSettings['toolDetails'];
  const other = askingFixture([[book('b')], done], { toolDetails: fourEyes });
  const asked = parseApprovalId(questionIn(await other.say('Go.')));
  const seen = await other.flow.approvals.read({ principal: eve, approvalId: asked });
  expect(seen).toMatchObject({ mayAnswer: true, mayEdit: true });
  await other.flow.approvals.answer({ ...given, approvalId: asked });
  await other.resume();
  expect(other.answers).toEqual([{ action: 'accept', content: { nights: 3 } }]);
  // Rejected: to take what a person fills in for an edit, which no one could make.
  expect(notTheAsker(eve, editedBy(eve, seen, { nights: 3 }))).toBe(false);
});

clause('0037.9', async () => {
  const clock = fakeClock();
  const toolDetails = { book: { mayAsk: true, timeoutMs: 1_000 } } as FlowSettings['toolDetails'];
  const { answers, store, say, answer, id } = askingFixture([[book('b')], done], { clock, toolDetails });
  const approvalId = questionIn(await say('Go.'));
  clock.advance(2_000);
  await answer(approvalId, true, three);
  expect(answers).toHaveLength(1);
  expect(endOf(await store.events.read(id, 0), 'b')).toMatchObject({ type: 'tool-completed' });
});

clause('0037.10', async () => {
  const undeclared = askingFixture([[book('b')], done], {
    toolDetails: { book: { mayAsk: false } } as never,
  });
  const { say, id } = undeclared.chat();
  await say('Go.');
  expect(endOf(await undeclared.store.events.read(id, 0), 'b')).toMatchObject({
    type: 'tool-failed',
    error: expect.stringContaining('mayAsk'),
  });

  const nested = tool({
    inputSchema: z.object({}),
    execute: (_input, { context }: ToolExecutionOptions<CallContext>) =>
      context.ask({ message: 'Who?', schema: z.object({ person: z.object({ name: z.string() }) }) }),
  });
  const own = { tools: { nested } as ToolSet, toolDetails: { nested: { mayAsk: true } } as never };
  const { chat, store } = flowFixture([[{ call: 'nested', id: 'n', input: {} }], done], own);
  await chat().say('Go.');
  expect(endOf(await store.events.read(chat().id, 0), 'n')).toMatchObject({
    type: 'tool-failed',
    error: expect.stringContaining('person'),
  });
});

clause('0037.11', async () => {
  const { path } = deploys();
  const { chat, flow, answers } = askingFixture([[book('b')], done], { store: sqliteStore({ path }) });
  await chat().say('Go.');
  await flow.close();
  expect(answers).toEqual([{ action: 'cancel' }]);
  const store = sqliteStore({ path });
  const log = await store.events.read(chat().id, 0);
  expect(endOf(log, 'b')).toMatchObject({ type: 'tool-completed', output: 'cancel' });
  expect(checkLog(log)).toEqual([]);
});

clause('0037.12', async () => {
  const asks = elicitations();
  const ready = new Map<string, PromiseWithResolvers<void>>();
  const reached = (name: string) => {
    const found = ready.get(name) ?? Promise.withResolvers<void>();
    ready.set(name, found);
    return found;
  };
  const { promise: go, resolve: begin } = Promise.withResolvers<void>();
  const rent = tool({
    inputSchema: z.object({ car: z.string() }),
    execute: async ({ car }) => {
      reached(car).resolve();
      await go;
      const result = await asks.handler({ params: { message: `Insure the ${car}?` } });
      return `${car}: ${result.action}`;
    },
  });
  const rents = (...cars: string[]) => cars.map((car) => ({ call: 'rent', id: car, input: { car } }));
  const tools = asks.tools({ rent }) as ToolSet;

  await expect(asks.handler({ params: { message: 'Hello?' } })).rejects.toThrow('no call');

  const one = flowFixture([rents('van', 'bus'), done], { tools });
  const { say, answer, view } = one.chat();
  const saying = say('Go.');
  await Promise.all([reached('van').promise, reached('bus').promise]);
  begin();
  const first = await saying;
  const second = await answer(questionIn(first), true);
  await answer(questionIn(second), false);
  const outputs = (await view()).messages
    .at(-1)
    ?.parts.flatMap((part) => (part.type === 'tool-rent' && 'output' in part ? [part.output] : []));
  expect(outputs).toEqual(['van: accept', 'bus: decline']);

  // Two chats on one client: nobody is asked.
  const { promise: later, resolve: release } = Promise.withResolvers<void>();
  const slow = tool({
    inputSchema: z.object({ car: z.string() }),
    execute: async ({ car }) => {
      reached(car).resolve();
      if (car === 'truck') return later;
      return asks.handler({ params: { message: 'Insure it?' } });
    },
  });
  const shared = { tools: asks.tools({ rent: slow }) as ToolSet };
  const truck = flowFixture([rents('truck'), done], shared)
    .chat('truck')
    .say('Go.');
  await reached('truck').promise;
  const { chat, store } = flowFixture([rents('bike'), done], shared);
  await chat('bike').say('Go.');
  expect(endOf(await store.events.read(chat('bike').id, 0), 'bike')).toMatchObject({
    type: 'tool-failed',
    error: expect.stringContaining('Create a client for each person'),
  });
  release();
  await truck;
});
