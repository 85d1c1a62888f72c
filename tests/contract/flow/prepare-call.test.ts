import { type ToolSet, tool } from 'ai';
import { sqliteStore } from 'countersign/store';
import { type ScriptedStep, scriptedModel } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FlowSettings } from '../../../lib/flow/index.ts';
import { type Deploy, deploys } from '../../support/deploys.ts';
import { ada, flowFixture, questionIn, types, userMessage } from '../../support/flow-fixture.ts';
import { nested } from '../../support/nested.ts';

const input = { to: 'alice', amount: 5 };
const call: ScriptedStep = [{ call: 'pay', id: 'pay-1', input }];
const done: ScriptedStep = [{ text: 'Done.' }];
const plan = z.object({ plan: z.enum(['free', 'pro']) });
const planOf = (options: unknown) => (options as { plan: string } | undefined)?.plan;
const quiet = { warn: () => {}, error: () => {} };

/** What an app does with its call options: it writes the plan into the instructions. */
const byPlan = {
  callOptionsSchema: plan,
  prepareCall: ({ options, ...rest }) => ({ ...rest, instructions: `Plan: ${planOf(options)}.` }),
} satisfies Partial<FlowSettings>;

const systemOf = ({ calls }: ReturnType<typeof scriptedModel>) =>
  calls.map(({ prompt }) => prompt.find(({ role }) => role === 'system')?.content);

describe('call options of a turn [ADR 0030]', () => {
  it('reach `prepareCall` with the principal and the chat, before the model is called', async () => {
    const seen: unknown[] = [];
    const { chat, model } = flowFixture([done], {
      ...byPlan,
      prepareCall(given) {
        const { options, principal, chatId } = given;
        seen.push({ options, id: principal.id, chatId });
        return byPlan.prepareCall(given);
      },
    });
    await chat().say('Hi.', { callOptions: { plan: 'pro' } });
    expect(seen).toEqual([{ options: { plan: 'pro' }, id: 'ada', chatId: 'chat' }]);
    expect(systemOf(model)).toEqual(['Plan: pro.']);
  });

  it.each([
    ['that do not fit the schema', { plan: 'gold' }, byPlan],
    ['that are missing', undefined, byPlan],
    ['that are too large', { plan: 'pro', more: 'x'.repeat(20_000) }, byPlan],
    ['that are nested too deep', { plan: 'pro', more: nested(700) }, byPlan],
    ['of a flow that takes none', { plan: 'pro' }, {}],
  ])('options %s are refused before anything is written', async (_what, callOptions, settings) => {
    const { store, say, id } = flowFixture([done], settings);
    await expect(say('Hi.', { callOptions })).rejects.toMatchObject({ code: 'invalid-request' });
    expect(await store.chats.head(id)).toBeUndefined();
  });

  it('are recorded as they were given, and parsed once for each use', async () => {
    const { store, model, say, id, events } = flowFixture([done], {
      callOptionsSchema: z.object({ days: z.number().transform((days) => days + 1) }),
      prepareCall: ({ options, ...rest }) => ({ ...rest, instructions: JSON.stringify(options) }),
    });
    await say('Hi.', { callOptions: { days: 1 } });
    expect(await store.events.read(id, 0)).toContainEqual(
      expect.objectContaining({ callOptions: { days: 1 } }),
    );
    expect(systemOf(model)).toEqual(['{"days":2}']);
    expect(JSON.stringify(await events())).not.toContain('callOptions');
  });

  it('are new with each message, and with another answer', async () => {
    const { model, say, ask, id } = flowFixture([done, done, done], byPlan);
    await say('Hi.', { callOptions: { plan: 'free' } });
    await say('And now?', { callOptions: { plan: 'pro' } });
    const again = await ask({ trigger: 'regenerate-message', callOptions: { plan: 'free' } });
    for await (const _event of again.events) void _event;
    expect(id).toBe('chat');
    expect(systemOf(model)).toEqual(['Plan: free.', 'Plan: pro.', 'Plan: free.']);
  });

  it('a turn of an older version has none', async () => {
    const { deploy } = deploys();
    const id = questionIn(await deploy('old', [call]).chat().say('Pay.'));
    const { chat, model } = deploy('new', [done], byPlan);
    await chat().answer(id, true);
    expect(systemOf(model)).toEqual(['Plan: undefined.']);
  });
});

describe('what `prepareCall` returns [ADR 0030]', () => {
  const failing: [string, FlowSettings['prepareCall'], string][] = [
    ['messages', (given) => ({ ...given, messages: [] }) as never, 'messages'],
    ['a prompt', (given) => ({ ...given, prompt: 'Hi.' }) as never, 'prompt'],
    ['no model', ({ model: _model, ...rest }) => rest as never, 'model'],
    ['a misspelt setting', (given) => ({ ...given, temprature: 1 }) as never, 'temprature'],
    [
      'a tool whose schema has no JSON Schema',
      (given) => ({ ...given, tools: { at: { inputSchema: z.object({ date: z.date() }) } } }) as never,
      'tools.at.inputSchema.date',
    ],
    ['no `toolApproval`', ({ toolApproval: _gate, ...rest }) => rest, 'toolApproval'],
    [
      'a gate for an unknown tool',
      (given) => ({ ...given, toolApproval: { pya: 'user-approval' } }) as never,
      'toolApproval.pya',
    ],
  ];

  it.each(failing)('the turn fails with %s, and no model is called', async (_what, prepareCall, path) => {
    const logged: unknown[] = [];
    const { model, say, view } = flowFixture([done], {
      prepareCall,
      toolApproval: { pay: 'user-approval' },
      logger: { ...quiet, error: (_message, facts) => void logged.push(facts) },
    });
    expect(types(await say('Hi.'))).toContain('error');
    expect((await view()).run.status).toBe('failed');
    expect(model.calls).toEqual([]);
    expect(JSON.stringify(logged)).toContain(`\`${path}\``);
    expect(JSON.stringify(logged)).toContain('invalid-settings');
  });

  it('the turn fails if it throws, and the client sees no details', async () => {
    const { chat } = flowFixture([done], {
      logger: quiet,
      prepareCall: () => Promise.reject(new Error('secret of the database')),
    });
    const response = await chat().say('Hi.');
    expect(types(response)).toContain('error');
    expect(JSON.stringify(response)).not.toContain('secret');
  });

  it('another model, other tools and another policy count for the run', async () => {
    const ran: string[] = [];
    const other = scriptedModel([[{ call: 'refund', id: 'r-1', input: {} }], done]);
    const refund = tool({ inputSchema: z.object({}), execute: async () => void ran.push('refund') });
    const { chat, model } = flowFixture([], {
      callOptionsSchema: plan,
      prepareCall: ({ options, tools, ...rest }) => ({
        ...rest,
        model: other,
        tools: { ...tools, refund },
        toolApproval: { refund: planOf(options) === 'pro' ? 'not-applicable' : 'user-approval' } as never,
      }),
    });
    const free = chat('free');
    const id = questionIn(await free.say('Refund.', { callOptions: { plan: 'free' } }));
    expect(ran).toEqual([]);
    await free.answer(id, true);
    expect(ran).toEqual(['refund']);
    expect(model.calls).toEqual([]);
    expect(other.calls[0]?.tools?.map(({ name }) => name)).toContain('refund');
  });

  it('a setting that it does not return is not set', async () => {
    const { chat, model } = flowFixture([done], {
      temperature: 0.5,
      prepareCall: ({ tools: _tools, temperature: _temperature, ...rest }) => rest,
    });
    await chat().say('Hi.');
    expect(model.calls).toMatchObject([{ temperature: undefined, tools: undefined }]);
  });

  it('without a result, the settings of the flow count', async () => {
    const { chat, model } = flowFixture([done], { temperature: 0.5, prepareCall: () => undefined });
    await chat().say('Hi.');
    expect(model.calls).toMatchObject([{ temperature: 0.5 }]);
  });
});

describe('an open question and `prepareCall` [ADR 0020, ADR 0030]', () => {
  /** The tool's definition depends on the plan as it is now, which the call options do not hold. */
  function withPlan(now: { plan: string }): Deploy {
    return {
      prepareCall: ({ tools, ...rest }) => ({
        ...rest,
        tools: { pay: { ...tools?.pay, description: `Pays, plan ${now.plan}.` } } as ToolSet,
      }),
    };
  }

  it('stays if its tool is the same, also on another instance an hour later', async () => {
    const { deploy, ran, clock } = deploys();
    const id = questionIn(
      await deploy('one', [call], withPlan({ plan: 'free' }))
        .chat()
        .say('Pay.'),
    );
    clock.advance(3_600_000);
    const other = deploy('two', [done], withPlan({ plan: 'free' }));
    expect((await other.chat().view()).questions).toMatchObject([{ id, state: 'open' }]);
    expect((await other.chat().view()).questions[0]).not.toHaveProperty('outdated');
    await other.chat().answer(id, true);
    expect(ran).toEqual([{ deploy: 'two', input }]);
  });

  it('about a tool that only `prepareCall` has can be edited, by its schema', async () => {
    const ran: unknown[] = [];
    const refund = tool({
      inputSchema: z.object({ amount: z.number() }),
      execute: async (given) => void ran.push(given),
    });
    const { flow, say, answer } = flowFixture([[{ call: 'refund', id: 'r-1', input: { amount: 1 } }], done], {
      tools: {},
      prepareCall: (given) => ({
        ...given,
        tools: { refund },
        toolApproval: { refund: 'user-approval' } as never,
      }),
    });
    const approvalId = questionIn(await say('Refund.')) as never;
    expect(await flow.approvals.read({ principal: ada, approvalId })).toMatchObject({
      mayEdit: true,
      inputSchema: { properties: { amount: { type: 'number' } } },
    });
    await answer(approvalId, true, { input: { amount: 2 } });
    expect(ran).toEqual([{ amount: 2 }]);
  });
});

describe('a run and `prepareCall` [ADR 0030]', () => {
  it('a stop does not wait for it', async () => {
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const { store, ask, stop, id } = flowFixture([done], {
      store: sqliteStore({ path: ':memory:' }),
      prepareCall() {
        resolve();
        return new Promise(() => {});
      },
    });
    await ask({ message: userMessage('one', 'Hi.') });
    await asked;
    await stop();
    await expect.poll(async () => (await store.chats.head(id))?.status).toBe('idle');
  });
});
