import type { ToolSet } from 'ai';
import { sqliteStore } from 'countersign/store';
import { scriptedModel } from 'countersign/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import type { FlowSettings } from '../../lib/flow/index.ts';
import { parseApprovalId } from '../../lib/protocol/index.ts';
import { createSchemas } from '../../lib/run/call/input/schemas.ts';
import { questionDigest } from '../../lib/run/question/question-digest.ts';
import { callOptionsFrom } from '../../lib/settings/call/call-options.ts';
import { settingsOfTurn } from '../../lib/settings/call/prepare-call.ts';
import { mayEverAsk } from '../../lib/settings/tools/tool-details.ts';
import { adr } from '../support/adr.ts';
import { approveThenCrash } from '../support/approve-then-crash.ts';
import { type Deploy, deploys } from '../support/deploys.ts';
import { ada, countingTools, flowFixture, questionIn, types } from '../support/flow-fixture.ts';

const { clause } = adr('0030-call-options-are-recorded.md');

const call = [{ call: 'pay', id: 'pay-1', input: { to: 'alice', amount: 5 } }];
const done = [{ text: 'Done.' }];
const callOptions = { plan: 'pro' };
const quiet = { warn: () => {}, error: () => {} };
const planOf = (options: unknown) => (options as { plan: string }).plan;

const byPlan = {
  callOptionsSchema: z.object({ plan: z.enum(['free', 'pro']) }),
  prepareCall: ({ options, ...rest }) => ({ ...rest, instructions: `Plan: ${planOf(options)}.` }),
} satisfies Partial<FlowSettings>;

/** Its tool has another definition for each plan, as the app's database has it now. */
const byPlanNow = (now: { plan: string }): Deploy => ({
  prepareCall: ({ tools, ...rest }) => ({
    ...rest,
    tools: { pay: { ...tools?.pay, description: `Pays, plan ${now.plan}.` } } as ToolSet,
  }),
});

const systemOf = ({ calls }: ReturnType<typeof scriptedModel>) =>
  calls.map(({ prompt }) => prompt.find(({ role }) => role === 'system')?.content);

clause('0030.1', async () => {
  const { deploy, path } = deploys();
  const asking = deploy('one', [call], byPlan);
  const { say, id: chatId } = asking.chat();
  const id = questionIn(await say('Pay.', { callOptions }));
  await asking.flow.close();
  const log = await sqliteStore({ path }).events.read(chatId, 0);
  expect(log).toContainEqual(expect.objectContaining({ type: 'run-started', callOptions }));

  const another = deploy('two', [done], byPlan);
  await another.chat().answer(id, true);
  expect(systemOf(another.model)).toEqual(['Plan: pro.']);

  // Rejected: the parsed options are recorded.
  const doubled = { callOptionsSchema: z.number().transform((days) => days * 2) } as unknown as FlowSettings;
  const parsed = await callOptionsFrom(doubled, 7);
  expect([parsed, await callOptionsFrom(doubled, parsed as number)]).toEqual([14, 28]);
});

clause('0030.2', async () => {
  let model = scriptedModel([call]);
  const second = scriptedModel([done]);
  const { say, answer } = flowFixture([], { prepareCall: (given) => ({ ...given, model }) });
  const id = questionIn(await say('Pay.'));
  model = second;
  await answer(id, true);
  expect(second.calls).toHaveLength(1);

  // Rejected: the result is recorded, as JSON.
  const recorded = JSON.parse(JSON.stringify({ model, toolApproval: { pay: () => 'user-approval' } }));
  expect(recorded.model.doStream).toBeUndefined();
  expect(recorded.toolApproval).toEqual({});
});

clause('0030.3', async () => {
  const { deploy, path, clock, ran } = deploys();
  const asking = deploy('one', [call], byPlan);
  const { say, id } = asking.chat();
  questionIn(await say('Pay.', { callOptions }));
  await asking.flow.close();
  const store = sqliteStore({ path });
  await approveThenCrash(store, id, clock);
  clock.advance(60_000);
  const { flow, model } = deploy('two', [done], byPlan);
  await flow.recover();
  await expect.poll(async () => (await store.chats.head(id))?.status).toBe('idle');
  expect(ran).toMatchObject([{ deploy: 'two' }]);
  expect(systemOf(model)).toEqual(['Plan: pro.']);
});

clause('0030.4', async () => {
  const results: FlowSettings['prepareCall'][] = [
    (given) => ({ ...given, messages: [] }) as never,
    ({ model: _model, ...rest }) => rest as never,
    ({ toolApproval: _gates, ...rest }) => rest,
  ];
  for (const prepareCall of results) {
    const settings = { prepareCall, toolApproval: { pay: 'user-approval' as const }, logger: quiet };
    const { model, say, view } = flowFixture([done], settings);
    expect(types(await say('Pay.'))).toContain('error');
    expect((await view()).run.status).toBe('failed');
    expect(model.calls).toEqual([]);
  }
  const { chat, ran } = flowFixture([call, done], {
    toolApproval: { pay: 'user-approval' },
    prepareCall: ({ tools, ...rest }) => ({
      ...rest,
      tools: { pay: { ...tools?.pay, needsApproval: false } } as ToolSet,
      toolApproval: {},
    }),
  });
  await chat().say('Pay.');
  expect(ran).toHaveLength(1);
});

clause('0030.5', async () => {
  const now = { plan: 'free' };
  const { deploy, ran } = deploys();
  const settings = byPlanNow(now);
  const { say, answer, view, id: chatId } = deploy('one', [call, done], settings);
  const id = questionIn(await say('Pay.'));
  now.plan = 'pro';
  const again = questionIn(await answer(id, true));
  expect(ran).toEqual([]);
  expect((await view()).questions).toMatchObject([{ state: 'tool-changed' }, { id: again, replaces: id }]);
  await answer(again, true);
  expect(ran).toHaveLength(1);

  // Rejected: judged by the flow's own settings, whose tool has never changed.
  const tools = countingTools().tools as ToolSet;
  const flow = { model: 'any', tools, ...settings } as FlowSettings;
  const asked = { toolName: 'pay', executor: 'server', input: {} } as const;
  const digests = { ofTurn: new Set(), ofFlow: new Set() };
  for (const plan of ['free', 'pro']) {
    now.plan = plan;
    const schemas = createSchemas();
    const ofTurn = await settingsOfTurn(flow, { principal: ada, chatId });
    digests.ofTurn.add(await questionDigest({ settings: ofTurn, schemas }, asked));
    digests.ofFlow.add(await questionDigest({ settings: flow, schemas }, asked));
  }
  expect([digests.ofTurn.size, digests.ofFlow.size]).toEqual([2, 1]);
});

clause('0030.6', async () => {
  const { deploy, ran } = deploys();
  const id = questionIn(await deploy('one', [call]).chat().say('Pay.'));
  const prepareCall = () => Promise.reject(new Error('No database.'));
  const { answer, view } = deploy('two', [done], { prepareCall, logger: quiet }).chat();
  await expect(answer(id, true)).rejects.toThrow('No database.');
  expect((await view()).questions).toMatchObject([{ id, state: 'open' }]);
  await answer(id, false);
  expect((await view()).questions).toMatchObject([{ id, state: 'denied' }]);
  expect(ran).toEqual([]);
});

clause('0030.7', async () => {
  const { store, say, id, events } = flowFixture([done], byPlan);
  const wrong = { callOptions: { plan: 'gold' } };
  await expect(say('Hi.', wrong)).rejects.toMatchObject({ code: 'invalid-request' });
  expect(await store.chats.head(id)).toBeUndefined();
  await say('Hi.', { callOptions });
  expect(JSON.stringify(await events())).not.toContain('callOptions');
});

clause('0030.8', async () => {
  const { tools: others } = countingTools();
  const settings: Partial<FlowSettings> = {
    tools: {},
    prepareCall: (given) => ({ ...given, tools: others }),
  };
  const { say, answer } = flowFixture([[{ text: 'I pay.' }, ...call], done], settings);
  const response = await say('Pay.');
  expect(types(response)).not.toContain('text-delta');
  expect(types(await answer(questionIn(response), true))).toContain('text-delta');

  // Rejected: decided by the flow's own tools.
  expect(mayEverAsk({ tools: {} } as FlowSettings)).toBe(false);
});

clause('0030.9', async () => {
  const warned: unknown[] = [];
  const logger = { ...quiet, warn: (...line: unknown[]) => void warned.push(line) };
  const { say, ask, read, store, id: chatId } = flowFixture([call, call, done], { ...byPlan, logger });
  let approvalId = parseApprovalId(questionIn(await say('Pay.', { callOptions })));
  for (const plan of ['pro', 'free']) {
    const stream = await ask({ answers: [{ approvalId, approved: true }], callOptions: { plan } });
    const response = await read(stream);
    if (plan === 'pro') approvalId = parseApprovalId(questionIn(response));
  }
  expect(warned).toEqual([[expect.stringContaining('were not used'), { chatId }]]);
  const runs = (await store.events.read(chatId, 0)).filter(({ type }) => type === 'run-started');
  expect(runs).toMatchObject([{ callOptions }, {}, {}]);
  expect(runs.slice(1)).not.toContainEqual(expect.objectContaining({ callOptions: expect.anything() }));
});
