import { type ToolSet, tool } from 'ai';
import { agentRequests } from 'countersign/plugins/agent-requests';
import { imports } from 'countersign/plugins/imports';
import type { ScriptedPart } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseToolCallId, type ToolCallId } from '../../../lib/protocol/index.ts';
import { madeCallId } from '../../../lib/run/made-call-id.ts';
import { askingFixture, book } from '../../support/asking-fixture.ts';
import { checkPrompt } from '../../support/check-prompt.ts';
import { deploys } from '../../support/deploys.ts';
import { ada, flowFixture, questionIn, types } from '../../support/flow-fixture.ts';
import { importedPayment } from '../../support/imported-chats.ts';
import { research, subagentFixture } from '../../support/subagent-fixture.ts';

const nine = /^[A-Za-z0-9]{9}$/;
const done = [{ text: 'Done.' }];
const pay = (id: string, amount = 5): ScriptedPart => ({ call: 'pay', id, input: { to: 'alice', amount } });

type Fixture = Pick<ReturnType<typeof flowFixture>, 'store' | 'id'>;

async function idsOf({ store, id }: Fixture): Promise<ToolCallId[]> {
  const log = await store.events.read(id, 0);
  return log.flatMap((event) => (event.type === 'tool-requested' ? [event.toolCallId] : []));
}

describe('a call id of the model', () => {
  it.each(['call_a', 'toolu_01A-b', 'functions.pay:0', 'a'.repeat(256)])('%s is kept', async (id) => {
    const fixture = flowFixture([[pay(id)]]);
    await fixture.say('Pay.');
    expect(await idsOf(fixture)).toEqual([id]);
  });

  it.each([
    ['no characters', ''],
    ['257 characters', 'a'.repeat(257)],
    ['a space', 'call 1'],
    ['a null character', 'call\u0000'],
    ['a letter that is not ASCII', 'appel-é'],
  ])('with %s is replaced, and the client answers under the new one', async (_what, given) => {
    const fixture = flowFixture([[{ call: 'theme', id: given, input: {} }], done]);
    await fixture.say('Go.');
    const [made = ''] = await idsOf(fixture);
    expect(made).toMatch(nine);
    expect(types(await fixture.output(made, 'dark'))).toContain('text-start');
    expect(fixture.model.calls[1]?.prompt.at(-1)?.content).toMatchObject([{ toolCallId: made }]);
  });

  it('that is repeated is replaced, in its step, in later steps and turns, and in a subagent', async () => {
    const fixture = subagentFixture(
      [[research('pay:0'), research('pay:0')], [research('pay:0')], done, [research('pay:0')], done],
      (_options, number) => (number % 2 === 0 ? [{ call: 'look', id: 'pay:0', input: {} }] : done),
      { toolCallConcurrency: 1 },
    );
    await fixture.say('Go.');
    await fixture.say('More.');
    const [first, ...others] = await idsOf(fixture);
    expect(first).toBe('pay:0');
    expect(others).toHaveLength(7);
    for (const id of others) expect(id).toMatch(nine);
    expect(new Set(others).size).toBe(7);
    for (const { prompt } of [...fixture.model.calls, ...fixture.agentModel.calls])
      expect(checkPrompt(prompt)).toEqual([]);
  });
});

describe('a call id that the flow makes has nine letters and digits', () => {
  it.each<[what: string, make: () => Promise<Fixture>]>([
    [
      'for a call that is asked again because its tool has changed',
      async () => {
        const { deploy } = deploys();
        const id = questionIn(
          await deploy('old', [[pay('a')]], { description: 'Old.' })
            .chat()
            .say('Pay.'),
        );
        const fixture = deploy('new', [done], { description: 'New.' });
        await fixture.answer(id, true);
        return fixture;
      },
    ],
    [
      'for a failed call that is retried',
      async () => {
        const execute = async (): Promise<string> => {
          throw Object.assign(new Error('Busy.'), { isRetryable: true });
        };
        const tools: ToolSet = { pay: tool({ inputSchema: z.object({}), execute }) };
        const fixture = flowFixture([[{ call: 'pay', input: {}, id: 'a' }], done, done], { tools });
        await fixture.say('Pay.');
        const request = { chatId: fixture.id, principal: ada, toolCallId: parseToolCallId('a') };
        await fixture.read(await fixture.flow.chats.retryCall(request));
        return fixture;
      },
    ],
    [
      'for an imported question',
      async () => {
        const fixture = flowFixture([], { plugins: [imports()] });
        await fixture.flow.imports.chat({ principal: ada, chatId: 'chat', messages: importedPayment });
        return fixture;
      },
    ],
    [
      'for what a running call asks',
      async () => {
        const fixture = askingFixture([[book('a')], done]);
        await fixture.say('Book.');
        return fixture;
      },
    ],
    [
      'for an agent’s request',
      async () => {
        const { flow, store } = flowFixture([], { plugins: [agentRequests({ approvers: () => true })] });
        const request = { key: 'k', title: 'Deploy', arguments: {}, principal: ada };
        const approvalId = await flow.agentRequests.create(request);
        const { chatId } = await flow.approvals.read({ principal: ada, approvalId });
        return { store, id: chatId };
      },
    ],
  ])('%s', async (_what, make) => {
    const made = (await idsOf(await make())).filter((id) => id !== 'a');
    expect(made).toHaveLength(1);
    expect(made[0]).toMatch(nine);
  });

  it('and is the same for the same call, and another one if that is used', () => {
    const used = new Set<string>();
    const make = (...of: (string | number)[]) => madeCallId((id) => used.has(id), ...of);
    const first = make('chat', 1, 0);
    expect(make('chat', 1, 0)).toBe(first);
    used.add(first);
    const ids = [first, make('chat', 1, 0), make('chat', 0, 1), make('chat', 10)];
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(nine);
  });
});
