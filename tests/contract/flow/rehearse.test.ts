import { type ToolSet, tool } from 'ai';
import type { FlowSettings, GateDecision } from 'countersign';
import { fakeClock, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ada, flowFixture, questionIn } from '../../support/flow-fixture.ts';
import { rowsOfThisRun } from '../../support/matrix.ts';
import { researchTool } from '../../support/subagent-fixture.ts';

type Policy = NonNullable<FlowSettings['toolApproval']>;

const policy = (decide: (amount: number, to: string) => ReturnType<typeof statusOf>): Policy =>
  ({ pay: ({ amount, to }: { amount: number; to: string }) => decide(amount, to) }) as never;
const statusOf = (status: 'user-approval' | 'denied' | 'approved' | 'not-applicable' | undefined) => status;

const lenient = policy((amount) =>
  statusOf(amount > 900 ? 'denied' : amount > 500 ? 'user-approval' : undefined),
);
const strict = policy((amount) =>
  statusOf(
    amount > 800 ? 'denied' : amount > 100 ? 'user-approval' : amount > 50 ? 'approved' : 'not-applicable',
  ),
);

const pay = (amount: number, to = 'Alice') => ({ call: 'pay', input: { to, amount } });
const done: ScriptedStep = [{ text: 'Done.' }];

function fixture(steps: readonly ScriptedStep[], settings: Partial<FlowSettings> = {}) {
  const ran: number[] = [];
  const tools: ToolSet = {
    pay: tool({
      inputSchema: z.object({ to: z.string(), amount: z.number() }),
      execute: ({ amount }) => {
        ran.push(amount);
        return 'Paid.';
      },
    }),
  };
  const flow = flowFixture([...steps], { tools, toolApproval: lenient, logger: silent, ...settings });
  return { ...flow, ran, tools };
}

const silent = { warn: () => {}, error: () => {} };
const all = { since: 0 };
const counts = (given: Partial<Record<GateDecision, number>>) => ({
  ...{ asked: 0, allowed: 0, denied: 0, failed: 0 },
  ...given,
});

describe('past calls are passed through another gate [ADR 0046]', () => {
  const sizes = rowsOfThisRun([25, 500], (chats) => chats === 25);
  it.each(sizes)(
    'with the counts of a real run of the same calls: %d chats of 20 calls',
    async (chats) => {
      const callsPerChat = 20;
      // Any amounts do, if they are the same in both runs.
      const amountOf = (index: number) => (index * 7_919) % 1_000;
      const steps = Array.from({ length: chats }, (_, chat) =>
        Array.from({ length: callsPerChat }, (_, call) => pay(amountOf(chat * callsPerChat + call))),
      );
      async function run(toolApproval: Policy) {
        const played = fixture(steps, { toolApproval });
        const gates: string[] = [];
        for (let index = 0; index < chats; index += 1) {
          const chat = played.chat(`chat-${index}`);
          await chat.say('Pay them.');
          for (const event of await chat.events()) {
            if (event.type !== 'tool-requested') continue;
            const { gate } = event;
            gates.push(gate.type === 'automatic' ? String(gate.approved) : gate.type);
          }
        }
        const counted = (...types: string[]) => gates.filter((type) => types.includes(type)).length;
        return {
          ...played,
          gates,
          counts: counts({
            asked: counted('ask'),
            allowed: counted('none', 'true'),
            denied: counted('false'),
          }),
        };
      }
      const [before, after] = [await run(lenient), await run(strict)];
      const ranBefore = before.ran.length;
      const logBefore = await before.chat('chat-3').events();

      const rehearsal = await before.flow.rehearse({ ...all, toolApproval: strict });

      expect(rehearsal).toMatchObject({ chats, calls: chats * callsPerChat });
      expect(rehearsal.recorded).toEqual(before.counts);
      expect(rehearsal.rehearsed).toEqual(after.counts);
      const isChanged = (index: number) =>
        before.gates[index]?.replace('true', 'none') !== after.gates[index]?.replace('true', 'none');
      expect(rehearsal.changes.reduce((sum, { calls }) => sum + calls, 0)).toBe(
        before.gates.filter((_, index) => isChanged(index)).length,
      );
      // Nothing ran, and nothing was written.
      expect(before.ran).toHaveLength(ranBefore);
      expect(await before.chat('chat-3').events()).toEqual(logBefore);
    },
    60_000,
  );

  it('which gets the arguments, the asker and the messages of that time', async () => {
    const { chat, flow } = fixture([[pay(600)], done]);
    const { say, answer } = chat();
    await answer(questionIn(await say('Pay Alice.')), true);
    await say('Thank you.');
    const seen: unknown[] = [];
    const toolApproval: Policy = ({ toolCall, messages, principal, chatId }) => {
      seen.push({ toolCall, messages, principal, chatId });
      return 'denied';
    };
    const { changes } = await flow.rehearse({ ...all, toolApproval });
    expect(seen).toMatchObject([
      {
        toolCall: { toolName: 'pay', input: { to: 'Alice', amount: 600 } },
        messages: [{ role: 'user', content: [{ text: 'Pay Alice.' }] }],
        principal: ada,
        chatId: 'chat',
      },
    ]);
    expect(changes).toMatchObject([{ from: 'asked', to: 'denied', calls: 1, people: 1 }]);
  });

  it('and the report says how people had answered, what is affected, and why', async () => {
    const steps = [[pay(600), pay(700), pay(650), pay(20)], done];
    const clock = fakeClock();
    const { chat, flow } = fixture([...steps, ...steps], { clock });
    const { say, answer } = chat();
    const second = questionIn(await answer(questionIn(await say('Pay them.')), true));
    const third = questionIn(await answer(second, false, { reason: 'Too much.' }));
    await answer(third, true, { input: { to: 'Alice', amount: 5 } });
    clock.advance(1_000);
    await chat('other', { id: 'ben', name: 'Ben' }).say('Pay them.');
    clock.advance(1);

    const toolApproval = policy(
      (amount) => (amount >= 600 ? undefined : { type: 'denied', reason: 'Too little.' }) as never,
    );
    const { changes } = await flow.rehearse({ ...all, toolApproval, examples: 2 });
    expect(changes).toMatchObject([
      {
        ...{ from: 'asked', to: 'allowed', calls: 6, people: 2, tools: { pay: 6 } },
        answers: { approved: 1, denied: 1, edited: 1, remembered: 0, none: 3 },
        examples: [
          { chatId: 'other', toolName: 'pay', askedBy: { id: 'ben', name: 'Ben' }, answer: 'none' },
          { chatId: 'other' },
        ],
      },
      {
        ...{ from: 'allowed', to: 'denied', calls: 2, people: 2 },
        examples: [{ chatId: 'other', input: { amount: 20 }, reason: 'Too little.' }, { chatId: 'chat' }],
      },
    ]);
    expect(changes[1]).not.toHaveProperty('answers');
  });

  it('and secrets stay redacted in the arguments and in the reason', async () => {
    const { chat, flow } = fixture([[pay(600, 'DE02 1203')]], {
      toolDetails: { pay: { secrets: { input: ['to'] }, describe: ({ to }) => `Pay ${to}` } },
    });
    await chat().say('Pay.');
    const toolApproval = policy((_, to) => ({ type: 'denied', reason: `${to} is blocked.` }) as never);
    const rehearsal = await flow.rehearse({ ...all, toolApproval });
    expect(rehearsal.changes[0]?.examples).toHaveLength(1);
    expect(JSON.stringify(rehearsal)).not.toContain('1203');
  });

  it('and a gate that fails is counted, is not logged, and keeps nothing else from being rehearsed', async () => {
    const logged: unknown[] = [];
    const log = (...facts: unknown[]) => void logged.push(facts);
    const { chat, flow } = fixture([[pay(10), pay(600)]], { logger: { warn: log, error: log } });
    await chat().say('Pay.');
    const toolApproval = policy((amount) => {
      if (amount === 10) throw new Error('No.');
      return 'approved';
    });
    const { rehearsed } = await flow.rehearse({ ...all, toolApproval });
    expect(rehearsed).toEqual(counts({ failed: 1, allowed: 1 }));
    expect(logged).toEqual([]);
  });

  it('and calls that it does not decide about are left out, or counted with the reason', async () => {
    const { tools } = researchTool([[{ call: 'look', input: {} }], [{ text: 'Found.' }]]);
    const settings = { toolApproval: undefined, tools: { ...tools, ...fixture([]).tools } };
    const { chat, flow, store } = fixture(
      [[pay(10), { call: 'pay', rawInput: '{"amount":' }, { call: 'research', input: { task: 'x' } }], done],
      settings,
    );
    await chat().say('Go.');
    const later = fixture([], {
      store,
      tools: { pay: tool({ inputSchema: z.object({ sum: z.number() }) }) },
    });
    const nothing = { 'tool-removed': 0, 'arguments-unfit': 0, subagent: 0 };
    expect(await flow.rehearse({ ...all, toolApproval: {} })).toMatchObject({
      calls: 2,
      notRehearsed: { ...nothing, subagent: 1 },
    });
    expect(await later.flow.rehearse({ ...all, toolApproval: {} })).toMatchObject({
      calls: 0,
      notRehearsed: { 'tool-removed': 1, 'arguments-unfit': 1, subagent: 1 },
    });
  });

  it('and no callback of a tool is called', async () => {
    const heard: unknown[] = [];
    const hear = (options: unknown) => void heard.push(options);
    const { pay: plain } = fixture([]).tools;
    const { chat, flow } = fixture([[pay(600)]], {
      tools: { pay: { ...plain, onInputStart: hear, onInputAvailable: hear } as never },
    });
    await chat().say('Pay.');
    const before = heard.length;
    await flow.rehearse({ ...all, toolApproval: strict });
    expect([before > 0, heard.length]).toEqual([true, before]);
  });

  it('and only calls of the period count', async () => {
    const clock = fakeClock();
    const { chat, flow } = fixture([[pay(10)], done, [pay(20)], done, [pay(30)], done], { clock });
    const start = clock.now();
    const { say } = chat();
    for (let day = 0; day < 3; day += 1) {
      await say('Pay.');
      clock.advance(1_000);
    }
    const amountsOf = async (period: { since: number; until?: number }) => {
      const amounts: unknown[] = [];
      const toolApproval = policy((amount) => void amounts.push(amount) as undefined);
      const { since, until } = await flow.rehearse({ ...period, toolApproval });
      return { amounts, since: since - start, until: until - start };
    };
    expect(await amountsOf({ since: start + 1_000, until: start + 2_000 })).toEqual({
      ...{ amounts: [20], since: 1_000, until: 2_000 },
    });
    expect(await amountsOf({ since: start + 2_000 })).toEqual({ amounts: [30], since: 2_000, until: 3_000 });
    expect((await amountsOf({ since: start + 3_000 })).amounts).toEqual([]);
  });

  it.each([
    ['a gate of another form', { since: 0, toolApproval: { pay: 'perhaps' } }, 'invalid-settings'],
    ['a tool that the flow lacks', { since: 0, toolApproval: { pray: 'denied' } }, 'invalid-settings'],
    ['a time that is no number', { since: Number.NaN, toolApproval: {} }, 'invalid-request'],
    ['an end before the start', { since: 2, until: 1, toolApproval: {} }, 'invalid-request'],
  ])('but not %s', async (_, request, code) => {
    const { flow } = fixture([]);
    await expect(flow.rehearse(request as never)).rejects.toMatchObject({ code });
  });

  it('but not with a store that cannot list chats by time', async () => {
    const { chatsChangedSince: _, ...store } = fixture([]).store;
    const { flow } = fixture([], { store });
    await expect(flow.rehearse({ ...all, toolApproval: {} })).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('chatsChangedSince'),
    });
  });
});
