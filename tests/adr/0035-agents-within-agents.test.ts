import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { ToolLoopAgent, type ToolSet, tool } from 'ai';
import { type AgentSettings, type FlowSettings, subagent } from 'countersign';
import type { FlowEvent } from 'countersign/plugin';
import { sqliteStore } from 'countersign/store';
import { dyingStore, fakeClock, type ScriptedStep, scriptedModel } from 'countersign/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { foldTurn } from '../../lib/log/turn/fold-turn.ts';
import { parseChatId } from '../../lib/protocol/index.ts';
import { nextAction } from '../../lib/run/next-action.ts';
import { adr } from '../support/adr.ts';
import { checkLog } from '../support/check-log.ts';
import { deploys } from '../support/deploys.ts';
import { ada, flowFixture, questionIn, types } from '../support/flow-fixture.ts';
import { agentTools, pay, research, subagentFixture, task } from '../support/subagent-fixture.ts';

const { clause } = adr('0035-agents-within-agents.md');

const leaseMs = 10_000;
const toResearch = [research('r')];
const done = [{ text: 'Done.' }];
const paid = [{ text: 'Paid.' }];
const declared = { description: 'Researches.', inputSchema: task, prompt: () => 'Go.' };

/** The same model before and after a crash: what it does next follows from what it is told. */
const playing = (steps: readonly ScriptedStep[]) => (options: LanguageModelV4CallOptions) =>
  steps[options.prompt.filter(({ role }) => role === 'assistant').length] ?? [];

const kinds = (log: readonly FlowEvent[]) => log.map(({ type }) => type);
const ofCall = (log: readonly FlowEvent[], id: string) =>
  log.filter((event) => 'toolCallId' in event && event.toolCallId === id).map(({ type }) => type);

/** What the model was told last of its calls. */
function resultsIn(options: LanguageModelV4CallOptions | undefined): unknown {
  return options?.prompt.findLast(({ role }) => role === 'tool')?.content;
}

clause('0035.1', async () => {
  const { path } = deploys();
  const asking = subagentFixture([toResearch], [[pay('p')]], { store: sqliteStore({ path }) });
  const { say, id: chatId } = asking.chat();
  const id = questionIn(await say('Go.'));
  const waiting = await asking.store.events.read(chatId, 0);
  expect(ofCall(waiting, 'r')).toEqual(['tool-requested', 'agent-step']);
  expect(waiting.at(-1)).toMatchObject({ type: 'run-suspended', toolCallId: 'p' });
  expect((await asking.flow.approvals.list({ principal: ada, state: 'open' })).items).toMatchObject([
    { id, chatId, toolCallId: 'p', toolName: 'research/pay', title: 'research → pay', state: 'open' },
  ]);
  await asking.flow.close();

  const another = subagentFixture([done], [paid], { store: sqliteStore({ path }) });
  await another.chat().answer(id, true);
  expect(another.agentRan).toMatchObject([{ tool: 'pay', principal: 'ada' }]);
  expect(resultsIn(another.model.calls[0])).toMatchObject([{ toolCallId: 'r', output: { value: 'Paid.' } }]);

  // Rejected: the agent runs in `execute`, where it waits for a person until its process ends.
  const clock = fakeClock();
  const { promise: person } = Promise.withResolvers<string>();
  const inExecute = tool({ inputSchema: task, execute: () => person });
  const given = { tools: { research: inExecute } as ToolSet, clock, leaseMs };
  const dying = dyingStore(sqliteStore({ path }), { when: 'after', event: 'tool-started' });
  void flowFixture([toResearch], { ...given, store: dying.store })
    .chat('old')
    .say('Go.');
  await dying.died;
  clock.advance(leaseMs);
  const restarted = flowFixture([done], { ...given, store: sqliteStore({ path }) });
  await restarted.flow.recover();
  await restarted.chat('old').resume();
  const log = await restarted.store.events.read(parseChatId('old'), 0);
  expect(log.find(({ type }) => type === 'tool-failed')).toMatchObject({ outcome: 'unknown' });
});

clause('0035.2', async () => {
  const appended: string[][] = [];
  const store = sqliteStore({ path: ':memory:' });
  const watched: FlowStore = {
    ...store,
    append(batch) {
      appended.push(
        batch.events.map((event) =>
          'toolCallId' in event ? `${event.type} ${event.toolCallId}` : event.type,
        ),
      );
      return store.append(batch);
    },
  };
  const { model, say, answers, id } = subagentFixture([toResearch, done], [[pay('p')], paid], {
    store: watched,
  });
  const approvalId = questionIn(await say('Go.'));
  const answer = { approvalId, approved: true } as Parameters<typeof answers>[0][number];
  await Promise.all([answers([answer]), answers([answer])]);
  const log = await store.events.read(id, 0);
  expect(ofCall(log, 'r')).toEqual([
    'tool-requested',
    'agent-step',
    'agent-step',
    'tool-started',
    'tool-completed',
  ]);
  const ends = appended.filter((events) => events.includes('tool-completed r'));
  expect(ends).toEqual([expect.arrayContaining(['tool-started r'])]);
  expect(model.calls).toHaveLength(2);
  expect(checkLog(log)).toEqual([]);

  // Rejected: the call starts with its work. Whoever takes over finds a call whose outcome is unknown.
  const began = log.findIndex(({ type }) => type === 'agent-step');
  const started = log.find((event) => event.type === 'tool-started' && event.toolCallId === 'r');
  const interrupted = foldTurn([...log.slice(0, began + 1), ...(started ? [started] : [])]);
  expect(nextAction(interrupted).type).toBe('end-interrupted');
  expect(nextAction(foldTurn(log.slice(0, began + 2))).type).toBe('ask');
});

clause('0035.3', async () => {
  const { path } = deploys();
  const store = sqliteStore({ path });
  const script = playing([toResearch, done]);
  const agentScript = playing([[{ call: 'look', id: 'l', input: {} }], [pay('p')], paid]);

  /** One process dies at an append, another one takes over. Both answer what they find. */
  async function crash(chatId: string, point?: number) {
    const clock = fakeClock();
    const dying = dyingStore(store, point === undefined ? undefined : { when: 'after', append: point });
    const make = (own: FlowStore) => subagentFixture(script, agentScript, { clock, leaseMs, store: own });
    const [one, two] = [make(dying.store), make(store)];
    const whole = one.chat(chatId);
    const playingOn = whole.say('Go.').then((chunks) => whole.answer(questionIn(chunks), true));
    await Promise.race([playingOn, dying.died]);
    clock.advance(leaseMs);
    await two.flow.recover();
    const { resume, view, answer, id } = two.chat(chatId);
    await resume();
    const open = (await view()).questions.find(({ state }) => state === 'open');
    if (open) await answer(open.id, true);
    return {
      appends: dying.appends(),
      log: await store.events.read(id, 0),
      ran: [...one.agentRan, ...two.agentRan],
    };
  }

  const { appends } = await crash('whole');
  expect(appends).toBeGreaterThan(4);
  for (let point = 1; point <= appends; point += 1) {
    const { log, ran } = await crash(`chat-${point}`, point);
    expect(checkLog(log)).toEqual([]);
    expect(log.at(-1)).toMatchObject({ type: 'run-completed' });
    expect(kinds(log).filter((type) => type === 'agent-step')).toHaveLength(3);
    expect(ofCall(log, 'r').filter((type) => type === 'tool-completed')).toHaveLength(1);
    expect(ran.filter((call) => call.tool === 'pay').length).toBeLessThanOrEqual(1);
  }
});

clause('0035.4', async () => {
  const { agentRan, agentModel, model, say, answer } = subagentFixture(
    [toResearch, done],
    [[pay('p')], paid],
  );
  await answer(questionIn(await say('Go.')), false, { reason: 'Too much.' });
  expect(agentRan).toEqual([]);
  expect(resultsIn(agentModel.calls[1])).toMatchObject([
    { toolCallId: 'p', output: { type: 'execution-denied', reason: 'This call was denied: Too much.' } },
  ]);
  expect(resultsIn(model.calls[1])).toMatchObject([{ toolCallId: 'r', output: { value: 'Paid.' } }]);
});

clause('0035.5', async () => {
  const look = { call: 'look', id: 'l', input: {} };
  const { agentRan, model, store, say, stop, id } = subagentFixture([toResearch, done], [[look, pay('p')]]);
  await say('Go.');
  await stop();
  expect(agentRan.map((call) => call.tool)).toEqual(['look']);
  const log = await store.events.read(id, 0);
  expect(ofCall(log, 'p').slice(-2)).toEqual(['approval-withdrawn', 'tool-denied']);
  expect(ofCall(log, 'r')).toEqual(['tool-requested', 'agent-step', 'tool-cancelled']);
  await say('And now?');
  const value =
    'Not finished: the user stopped the turn. Its calls:\n- look {}: completed\n- pay {"to":"alice","amount":5}: denied';
  expect(resultsIn(model.calls[1])).toMatchObject([
    { toolCallId: 'r', output: { type: 'error-text', value } },
  ]);
});

clause('0035.6', async () => {
  const both = [research('r1', 'one'), research('r2', 'two')];
  let inside = 0;
  const { promise: together, resolve } = Promise.withResolvers<void>();
  const agentModel = scriptedModel(async ({ prompt }): Promise<ScriptedStep> => {
    if (prompt.some(({ role }) => role === 'tool')) return paid;
    inside += 1;
    if (inside === 2) resolve();
    // Both have the same id for their call.
    return [{ wait: together }, pay('p', inside)];
  });
  const { agentRan, model, store, say, answer, id } = subagentFixture([both, done], [], {
    agent: { model: agentModel },
  });
  const first = await say('Go.');
  const second = await answer(questionIn(first), true);
  expect(types(second).filter((type) => type === 'tool-approval-request')).toHaveLength(1);
  await answer(questionIn(second), true);
  const log = await store.events.read(id, 0);
  const asked = log.flatMap((event) => (event.type === 'approval-requested' ? [event.toolCallId] : []));
  const parents = asked.map((toolCallId) =>
    log.flatMap((event) =>
      event.type === 'tool-requested' && event.toolCallId === toolCallId ? [event.parent] : [],
    ),
  );
  expect(parents).toEqual([['r1'], ['r2']]);
  expect(agentRan).toHaveLength(2);
  expect(resultsIn(model.calls[1])).toMatchObject([{ toolCallId: 'r1' }, { toolCallId: 'r2' }]);
  expect(checkLog(log)).toEqual([]);
});

clause('0035.7', async () => {
  const { tools, ran } = agentTools();
  const { needsApproval: _gate, ...ungated } = tools.pay as NonNullable<typeof tools.pay>;
  const writer = subagent(
    {
      model: scriptedModel([[pay('p')], paid]),
      tools: { pay: ungated } as ToolSet,
      toolApproval: ({ principal }) => (principal.id === 'ada' ? 'user-approval' : 'denied'),
      toolDetails: {
        pay: { title: 'Payment', describe: ({ amount }: { amount: number }) => `Pays ${amount}.` },
      },
    } as AgentSettings,
    declared,
  );
  const settings = {
    agent: { tools: { write: writer } as ToolSet },
    // The flow's own rule is not asked about tools of subagents.
    toolApproval: { research: 'not-applicable' } as FlowSettings['toolApproval'],
  };
  const script = [[{ call: 'write', id: 'w', input: { task: 'x' } }], [{ text: 'Written.' }]];
  const { model, flow, say, answer, view } = subagentFixture([toResearch, done], script, settings);
  const id = questionIn(await say('Go.'));
  expect((await flow.approvals.list({ principal: ada, state: 'open' })).items).toMatchObject([
    { toolName: 'research/write/pay', title: 'research → write → Payment', description: 'Pays 5.' },
  ]);
  await answer(id, true);
  expect(ran).toMatchObject([{ tool: 'pay' }]);
  expect(resultsIn(model.calls[1])).toMatchObject([{ toolCallId: 'r', output: { value: 'Written.' } }]);
  expect(
    (await view()).messages.at(-1)?.parts.map((part) => ('toolName' in part ? part.toolName : part.type)),
  ).toEqual(expect.arrayContaining(['tool-research', 'research/write', 'research/write/pay']));
});

clause('0035.8', async () => {
  const secret = [{ text: 'Thinking aloud.' }, pay('p')];
  for (const release of ['final', 'progressive'] as const) {
    const { model, flow, say, answer, id, view } = subagentFixture([toResearch, done], [secret, paid], {
      release,
    });
    const first = await say('Go.');
    const second = await answer(questionIn(first), true);
    const shown = JSON.stringify([
      first,
      second,
      await view(),
      await flow.chats.timeline({ chatId: id, principal: ada }),
    ]);
    expect(shown).not.toContain('Thinking aloud.');
    expect(shown).toContain('Paid.');
    expect(JSON.stringify(model.calls)).not.toContain('Thinking aloud.');
  }
});

clause('0035.9', () => {
  const model = scriptedModel([]);
  const { tools } = agentTools();
  const level = (inner: ToolSet) => subagent({ model, tools: inner }, declared);
  const refused = (agent: object, path: string) =>
    expect(() => subagent(agent as AgentSettings, declared)).toThrow(`\`${path}\``);
  refused({ tools }, 'model');
  refused(new ToolLoopAgent({ model, tools }), 'agent');
  refused({ model, tools, prepareStep: () => ({}) }, 'prepareStep');
  refused({ model, tools: { locate: tool({ inputSchema: task }) } }, 'tools.locate');
  const dated = { inputSchema: z.object({ at: z.date() }), execute: () => 'paid' };
  refused({ model, tools: { dated } }, 'tools.dated.inputSchema.at');
  expect(() => subagent({ model }, { ...declared, inputSchema: z.string() })).toThrow('`inputSchema`');
  refused({ model, tools, toolApproval: { pya: 'user-approval' } }, 'toolApproval.pya');
  refused({ model, tools: { deep: level({ deeper: level(tools) }) } }, 'tools.deep');
  expect(() => flowFixture([], { tools: { a: level(tools), 'a/pay': tools.pay } as ToolSet })).toThrow(
    'tools.a/pay',
  );
});
