import { type ToolSet, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FlowSettings } from '../../../lib/flow/index.ts';
import { deploys } from '../../support/deploys.ts';
import { flowFixture, questionIn } from '../../support/flow-fixture.ts';

const input = { to: 'alice', amount: 5 };
const call = [{ call: 'pay', id: 'pay-1', input }];
const done = [{ text: 'Done.' }];
const facts = { principal: expect.objectContaining({ id: 'ada' }), chatId: 'chat' };
const runtimeContext = { tenant: 'blue' };

/** What an author's functions get, by their name. */
function seeing(
  settings: (see: <Answer>(name: string, answer: Answer) => (...given: never[]) => Answer) => object,
) {
  const seen: Record<string, unknown[]> = {};
  const see =
    <Answer>(name: string, answer: Answer) =>
    (...given: never[]): Answer => {
      seen[name] = [...(seen[name] ?? []), given.at(-1)];
      return answer;
    };
  return { seen, settings: settings(see) as Partial<FlowSettings> };
}

describe('principal, chat and runtime context', () => {
  it('reach `prepareStep` and `stopWhen`', async () => {
    const { seen, settings } = seeing((see) => ({
      runtimeContext,
      prepareStep: see('prepareStep', undefined),
      stopWhen: see('stopWhen', false),
    }));
    const { chat } = flowFixture([[{ call: 'weather', input: { city: 'Oslo' } }], done], settings);
    await chat().say('Go.');
    expect(seen.prepareStep).toMatchObject([
      { ...facts, runtimeContext },
      { ...facts, runtimeContext },
    ]);
    expect(seen.stopWhen).toMatchObject([{ ...facts, steps: [{ runtimeContext }] }]);
  });

  it.each<[string, (gate: (...given: never[]) => unknown) => object]>([
    ['one function for all tools', (gate) => ({ toolApproval: gate })],
    ['a function of one tool', (gate) => ({ toolApproval: { pay: gate } })],
  ])(
    'reach the gate: %s, when the model calls and when the call is asked about again',
    async (_what, gated) => {
      const { seen, settings } = seeing((see) => ({
        runtimeContext,
        ...gated(see('gate', 'user-approval')),
      }));
      const { deploy } = deploys();
      const id = questionIn(await deploy('old', [call], settings).chat().say('Pay.'));
      await deploy('new', [done], { ...settings, description: 'Another tool.' })
        .chat()
        .answer(id, true);
      expect(seen.gate).toMatchObject([
        { ...facts, runtimeContext },
        { ...facts, runtimeContext },
      ]);
    },
  );

  it('reach `needsApproval` of a tool in its `context`, beside its own', async () => {
    const { seen, settings } = seeing((see) => ({
      tools: {
        pay: {
          ...tool({ inputSchema: z.looseObject({}), execute: async () => 'paid' }),
          needsApproval: see('gate', true),
        },
      },
      toolsContext: { pay: { key: 'k1' } },
    }));
    await flowFixture([call], settings).chat().say('Pay.');
    expect(seen.gate).toMatchObject([{ context: { ...facts, key: 'k1' } }]);
  });

  it('a context that `prepareStep` returns holds for the later steps and calls of the run', async () => {
    const contexts: unknown[] = [];
    const ran: unknown[] = [];
    const act = tool({
      inputSchema: z.object({}),
      execute: async (_input, { context }) => void ran.push((context as { key: string }).key),
    });
    const { chat } = flowFixture([[{ call: 'act', input: {} }], [{ call: 'act', input: {} }], done], {
      tools: { act } as ToolSet,
      toolsContext: { act: { key: 'first' } },
      runtimeContext: { count: 0 },
      prepareStep({ runtimeContext: now, stepNumber }) {
        contexts.push(now);
        if (stepNumber !== 1) return undefined;
        return { runtimeContext: { count: 1 }, toolsContext: { act: { key: 'second' } } as never };
      },
    });
    await chat().say('Go.');
    expect(contexts).toEqual([{ count: 0 }, { count: 0 }, { count: 1 }]);
    expect(ran).toEqual(['first', 'second']);
  });

  it('`prepareCall` may give another runtime context', async () => {
    const { seen, settings } = seeing((see) => ({
      runtimeContext,
      prepareCall: (given: object) => ({ ...given, runtimeContext: { tenant: 'red' } }),
      prepareStep: see('prepareStep', undefined),
    }));
    await flowFixture([done], settings).chat().say('Go.');
    expect(seen.prepareStep).toMatchObject([{ ...facts, runtimeContext: { tenant: 'red' } }]);
  });
});

describe('the own context of a tool', () => {
  const settings = (own: object, ran: unknown[]): Partial<FlowSettings> => ({
    logger: { warn: () => {}, error: () => {} },
    toolsContext: { act: own },
    tools: {
      act: tool({
        inputSchema: z.object({}),
        contextSchema: z.object({ key: z.string(), region: z.string().default('eu') }),
        execute: async (_input, { context }) => void ran.push(context),
      }),
    } as ToolSet,
  });

  it('is parsed by its `contextSchema`', async () => {
    const ran: unknown[] = [];
    const { chat } = flowFixture([[{ call: 'act', input: {} }], done], settings({ key: 'k1' }, ran));
    await chat().say('Go.');
    expect(ran).toMatchObject([{ key: 'k1', region: 'eu', ...facts }]);
  });

  it('fails the call if it does not fit, and is not quoted', async () => {
    const ran: unknown[] = [];
    const { chat } = flowFixture([[{ call: 'act', input: {} }], done], settings({ key: 4711 }, ran));
    const response = await chat().say('Go.');
    expect(response).toContainEqual(expect.objectContaining({ type: 'tool-output-error' }));
    expect(JSON.stringify(response)).not.toContain('4711');
    expect(ran).toEqual([]);
  });
});
