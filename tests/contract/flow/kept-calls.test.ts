import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { type ToolSet, tool } from 'ai';
import { sqliteStore } from 'countersign/store';
import { checkResponseTiming, fakeClock, type ScriptedPart } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createSendAutomaticallyWhen as overBidi } from '../../../lib/bidi/send-automatically-when.ts';
import { storedConversation } from '../../../lib/plugins/tool-events/stored-conversation.ts';
import { parseApprovalId, parseMessageId, parseToolCallId } from '../../../lib/protocol/index.ts';
import { createEngine } from '../../../lib/run/engine.ts';
import { resolveOutcome } from '../../../lib/run/outcomes/record-outcome.ts';
import { createSendAutomaticallyWhen as overSse } from '../../../lib/sse/send-automatically-when.ts';
import { checkPrompt } from '../../support/check-prompt.ts';
import { messageOf, plain } from '../../support/client-message.ts';
import {
  countingTools,
  flowFixture,
  lasting,
  questionIn,
  types,
  userMessage,
} from '../../support/flow-fixture.ts';

const pay = (amount: number, id?: string): ScriptedPart => ({
  call: 'pay',
  input: { to: 'alice', amount },
  ...(id === undefined ? {} : { id }),
});
const weather: ScriptedPart = { call: 'weather', input: { city: 'Oslo' }, id: 'weather' };
const regenerate = { trigger: 'regenerate-message' as const };
const silent = { warn: () => {}, error: () => {} };
const releases = ['final', 'progressive'] as const;

/** A prompt in short: `user: Go.`, `assistant: tool-call`, `tool: pay`. */
function told(options: LanguageModelV4CallOptions | undefined): string[] {
  return (options?.prompt ?? []).map(({ role, content }) => {
    if (typeof content === 'string') return `${role}: ${content}`;
    const parts = content.map((part) => {
      if (part.type === 'text') return part.text;
      return part.type === 'tool-call' || part.type === 'tool-result' ? part.toolCallId : part.type;
    });
    return `${role}: ${parts.join(', ')}`;
  });
}

type Stored = { readonly parts: readonly { readonly type: string }[] };

/** The calls that a message shows: id and state. */
function shownCalls(message: Stored | undefined): string[] {
  return (message?.parts ?? []).flatMap((part) =>
    'toolCallId' in part && 'state' in part ? [`${part.toolCallId} ${part.state}`] : [],
  );
}

/** The places of these chunk types in a response, by call. */
function order(chunks: readonly { type: string }[]): string[] {
  return lasting(chunks as never).flatMap((chunk) => {
    if (chunk.type === 'text-delta') return ['text'];
    return chunk.type.startsWith('tool-output') && 'toolCallId' in chunk ? [chunk.toolCallId] : [];
  });
}

describe('calls that ran are never removed [H7]', () => {
  it.each(releases)(
    'continues after the payment that ran when a %s turn is regenerated [H7]',
    async (release) => {
      const { ran, read, model, say, answer, ask, view, resume } = flowFixture(
        [[{ text: 'Paying.' }, pay(1, 'paid')], [{ text: 'Paid.' }], [{ text: 'Done.' }]],
        { release },
      );
      await answer(questionIn(await say('Go.')), true);
      const before = (await view()).messages[1];
      const response = await read(await ask(regenerate));
      expect(ran).toHaveLength(1);
      expect(told(model.calls[2])).toEqual(['user: Go.', 'assistant: Paying., paid', 'tool: paid']);
      expect(order(response)).toEqual(release === 'final' ? ['text', 'paid'] : ['paid', 'text']);
      if (release === 'final') expect(checkResponseTiming([response], { finished: true })).toEqual([]);

      const { messages } = await view();
      expect(messages).toHaveLength(2);
      expect(messages[1]?.id).not.toBe(before?.id);
      expect(shownCalls(messages[1])).toEqual(['paid output-available']);
      expect(plain(messages[1])).toEqual(await messageOf(response));
      expect(await messageOf((await resume()) ?? [])).toEqual(plain(messages[1]));
    },
  );

  it('continues after the payment that ran when a failed turn is regenerated [H7]', async () => {
    const { ran, read, model, say, answer, ask, view } = flowFixture(
      [[pay(1, 'paid')], [{ reject: new Error('The vendor is down.') }], [{ text: 'Done.' }]],
      { logger: silent },
    );
    expect(types(await answer(questionIn(await say('Go.')), true)).at(-1)).toBe('error');
    await read(await ask(regenerate));
    expect(ran).toHaveLength(1);
    expect(told(model.calls[2])).toEqual(['user: Go.', 'assistant: paid', 'tool: paid']);
    expect((await view()).run.status).toBe('idle');
  });

  it.each(releases)(
    'puts the new text after the steps that ran when a %s turn is edited [H7]',
    async (release) => {
      const { ran, read, model, say, answer, ask, view, resume } = flowFixture(
        [[pay(1, 'paid')], [{ text: 'Paid.' }], [{ text: 'Done.' }]],
        { release },
      );
      await answer(questionIn(await say('Pay 1.')), true);
      const [asked] = (await view()).messages;
      const id = parseMessageId(asked?.id ?? '');
      const response = await read(await ask({ message: userMessage(id, 'Pay 2.'), messageId: id }));
      expect(ran).toHaveLength(1);
      expect(told(model.calls[2])).toEqual(['user: Pay 1.', 'assistant: paid', 'tool: paid', 'user: Pay 2.']);
      expect(checkPrompt(model.calls[2]?.prompt ?? [])).toEqual([]);
      expect(order(response)).toEqual(release === 'final' ? ['text', 'paid'] : ['paid', 'text']);
      const { messages } = await view();
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
      expect(messages[0]?.parts).toMatchObject([{ type: 'text', text: 'Pay 2.' }]);
      expect(shownCalls(messages[1])).toEqual(['paid output-available']);
      expect(plain(messages[1])).toEqual(await messageOf(response));
      expect(await messageOf((await resume()) ?? [])).toEqual(plain(messages[1]));
    },
  );

  it.each(releases)('keeps every %s payment once after several of them in a row [H7]', async (release) => {
    const { ran, read, model, say, answer, ask, view, resume } = flowFixture(
      [
        [pay(1, 'one')],
        [{ text: 'Paid.' }],
        [{ text: 'Anew.' }],
        [pay(2, 'two')],
        [{ text: 'Two paid.' }],
        [{ text: 'Edited.' }],
        [{ text: 'Once more.' }],
        [pay(3, 'three')],
        [{ text: 'Three paid.' }],
      ],
      { release },
    );
    await answer(questionIn(await say('First.')), true);
    await read(await ask(regenerate));
    const asked = await read(await ask(regenerate));
    const paid = await answer(questionIn(asked), true);
    const inOrder = checkResponseTiming([asked, paid], { finished: true });
    if (release === 'final') expect(inOrder).toEqual([]);
    const id = parseMessageId((await view()).messages[0]?.id ?? '');
    expect(order(paid)).toEqual(release === 'final' ? ['text', 'one', 'two'] : ['two', 'text']);
    expect(order(asked)).toEqual(release === 'final' ? [] : ['one']);
    expect(plain((await view()).messages[1])).toEqual(await messageOf([...asked, ...paid]));
    await read(await ask({ message: userMessage(id, 'Second.'), messageId: id }));
    await read(await ask(regenerate));
    const start = [
      'user: First.',
      'assistant: one',
      'tool: one',
      'assistant: two',
      'tool: two',
      'user: Second.',
    ];
    expect(told(model.calls[6])).toEqual(start);

    await answer(questionIn(await read(await ask(regenerate))), true);
    expect(told(model.calls[8])).toEqual([...start, 'assistant: three', 'tool: three']);
    const { messages } = await view();
    const all = ['one', 'two', 'three'];
    expect(shownCalls(messages[1]).toSorted()).toEqual(
      all.map((call) => `${call} output-available`).toSorted(),
    );
    expect(await messageOf((await resume()) ?? [])).toEqual(plain(messages[1]));
    expect(ran.map(({ toolCallId }) => toolCallId)).toEqual(all);
    for (const call of model.calls) expect(checkPrompt(call.prompt)).toEqual([]);
  });

  it('keeps later calls when an earlier message is regenerated, and repeats the message after them [H7]', async () => {
    const { ran, read, model, say, answer, ask, view } = flowFixture([
      [{ text: 'One.' }],
      [pay(1, 'paid')],
      [{ text: 'Paid.' }],
      [{ text: 'Anew.' }],
    ]);
    await say('First.');
    await answer(questionIn(await say('Pay.')), true);
    const messages = (await view()).messages;
    await read(await ask({ ...regenerate, messageId: parseMessageId(messages[1]?.id ?? '') }));
    expect(told(model.calls[3])).toEqual([
      'user: First.',
      'assistant: One.',
      'user: Pay.',
      'assistant: paid',
      'tool: paid',
      'user: First.',
    ]);
    const after = (await view()).messages;
    expect(after.map(({ id }) => id)).toEqual([messages[0]?.id, after[1]?.id]);
    expect(shownCalls(after[1])).toEqual(['paid output-available']);
    expect(ran).toHaveLength(1);
  });

  it('asks about a new payment after the one that ran, and keeps both [H7]', async () => {
    const { read, ran, say, answer, ask, view, resume } = flowFixture([
      [pay(1, 'one')],
      [{ text: 'Paid.' }],
      [{ text: 'Again?' }, pay(1, 'one')],
      [{ text: 'Not again.' }],
    ]);
    await answer(questionIn(await say('Go.')), true);
    const asked = await read(await ask(regenerate));
    const last = await answer(questionIn(asked), false);
    expect(checkResponseTiming([asked, last], { finished: true })).toEqual([]);
    const { messages } = await view();
    expect(messages).toHaveLength(2);
    const calls = shownCalls(messages[1]).map((call) => call.split(' '));
    expect(calls.map(([, state]) => state)).toEqual(['output-denied', 'output-available']);
    expect(new Set(calls.map(([id]) => id)).size).toBe(2);
    expect(await messageOf((await resume()) ?? [])).toEqual(plain(messages[1]));
    expect(ran).toHaveLength(1);
  });
});

describe('cuts while a question is open [H7]', () => {
  it.each([
    ['regenerate', (_id: string) => regenerate, ['user: Go.']],
    [
      'an edit',
      (id: string) => ({ message: userMessage(id, 'Wait.'), messageId: parseMessageId(id) }),
      ['user: Go.', 'user: Wait.'],
    ],
  ])(
    '%s keeps the calls that ran before the question, and withdraws it [H7, T16]',
    async (_case, request, said) => {
      const { flow, ran, read, model, say, answer, ask, view } = flowFixture([
        [pay(1, 'one'), pay(2, 'two')],
        [{ text: 'Anew.' }],
      ]);
      const open = questionIn(await answer(questionIn(await say('Go.')), true));
      const response = await read(await ask(request((await view()).messages[0]?.id ?? '')));
      const [first, ...later] = said;
      expect(told(model.calls[1])).toEqual([first, 'assistant: one, two', 'tool: one, two', ...later]);
      expect(checkPrompt(model.calls[1]?.prompt ?? [])).toEqual([]);
      const [, message] = (await view()).messages;
      expect(shownCalls(message)).toEqual(['one output-available']);
      expect(plain(message)).toEqual(await messageOf(response));
      const principal = { id: 'ada', name: 'Ada' };
      const approvalId = parseApprovalId(open);
      expect((await flow.approvals.read({ approvalId, principal })).state).toBe('superseded');
      expect(ran).toHaveLength(1);
    },
  );

  it('runs and keeps the call of an edit that contains its answer [H7]', async () => {
    const { ran, read, model, say, ask, view } = flowFixture([[pay(1, 'one')], [{ text: 'Anew.' }]]);
    const approvalId = parseApprovalId(questionIn(await say('Go.')));
    const id = parseMessageId((await view()).messages[0]?.id ?? '');
    const edit = { message: userMessage(id, 'Wait.'), messageId: id };
    await read(await ask({ ...edit, answers: [{ approvalId, approved: true }] }));
    expect(ran).toHaveLength(1);
    expect(told(model.calls[1])).toEqual(['user: Go.', 'assistant: one', 'tool: one', 'user: Wait.']);
    expect(shownCalls((await view()).messages[1])).toEqual(['one output-available']);
  });
});

describe('which calls are kept [H7]', () => {
  it('keeps an ungated call, unless its tool is marked `idempotent` [H7]', async () => {
    for (const idempotent of [false, true]) {
      const { read, model, say, ask, view } = flowFixture(
        [[weather], [{ text: 'Sunny.' }], [{ text: 'Anew.' }]],
        {
          toolDetails: { weather: { idempotent } },
        },
      );
      await say('Go.');
      await read(await ask(regenerate));
      const kept = ['user: Go.', 'assistant: weather', 'tool: weather'];
      expect(told(model.calls[2])).toEqual(idempotent ? ['user: Go.'] : kept);
      expect(shownCalls((await view()).messages[1])).toEqual(idempotent ? [] : ['weather output-available']);
    }
  });

  it('keeps a gated call of an idempotent tool, and the calls before it only in the prompt [H7]', async () => {
    const { read, model, say, answer, ask, view } = flowFixture(
      [[weather], [pay(1, 'paid')], [{ text: 'Paid.' }], [{ text: 'Anew.' }]],
      { toolDetails: { weather: { idempotent: true }, pay: { idempotent: true } } },
    );
    await answer(questionIn(await say('Go.')), true);
    const response = await read(await ask(regenerate));
    expect(told(model.calls[3])).toEqual([
      'user: Go.',
      'assistant: weather',
      'tool: weather',
      'assistant: paid',
      'tool: paid',
    ]);
    expect(shownCalls((await view()).messages[1])).toEqual(['paid output-available']);
    expect(plain((await view()).messages[1])).toEqual(await messageOf(response));
  });

  it('keeps a call of unknown outcome, with its unknown outcome [H7]', async () => {
    const tools = {
      pay: tool({
        inputSchema: z.object({}),
        needsApproval: true,
        execute: (): Promise<string> =>
          Promise.reject(Object.assign(new Error('The line broke.'), { code: 'ECONNRESET' })),
      }),
    } satisfies ToolSet;
    const { read, model, say, answer, ask, view } = flowFixture(
      [[{ call: 'pay', id: 'lost' }], [{ text: 'Lost.' }], [{ text: 'Anew.' }]],
      { tools },
    );
    await answer(questionIn(await say('Go.')), true);
    const response = await read(await ask(regenerate));
    expect(told(model.calls[2])).toEqual(['user: Go.', 'assistant: lost', 'tool: lost']);
    const [, message] = (await view()).messages;
    expect(shownCalls(message)).toEqual(['lost output-error']);
    expect(JSON.stringify(message)).toContain('outcome-unknown');
    expect(plain(message)).toEqual(await messageOf(response));
  });

  it.each(releases)(
    'keeps a client’s %s call as executed elsewhere, so no page runs it again [T13]',
    async (release) => {
      const { read, model, say, output, ask, view } = flowFixture(
        [[{ call: 'theme', id: 'dark' }], [{ text: 'Dark.' }], [{ text: 'Anew.' }]],
        { release },
      );
      await say('Go.');
      await output('dark', 'dark');
      const response = await read(await ask(regenerate));
      expect(told(model.calls[2])).toEqual(['user: Go.', 'assistant: dark', 'tool: dark']);
      const shown = response.filter((chunk) => 'toolCallId' in chunk);
      for (const chunk of shown) expect(chunk).toMatchObject({ providerExecuted: true });
      const [, message] = (await view()).messages;
      expect(shownCalls(message)).toEqual(['dark output-available']);
      expect(plain(message)).toEqual(await messageOf(response));
    },
  );

  it('keeps a provider’s call that ran with its result, and repeats the message after it [T14]', async () => {
    const search: ScriptedPart = { providerCall: 'web_search', id: 'found', input: {}, result: { hits: 1 } };
    const { read, model, say, ask, view } = flowFixture([[search, { text: 'Found.' }], [{ text: 'Anew.' }]]);
    await say('Look.');
    const response = await read(await ask(regenerate));
    expect(told(model.calls[1])).toEqual(['user: Look.', 'assistant: found, found, Found.', 'user: Look.']);
    const [, message] = (await view()).messages;
    expect(shownCalls(message)).toEqual(['found output-available']);
    expect(plain(message)).toEqual(await messageOf(response));
  });

  it('shows an edited call as proposed and as executed [H7]', async () => {
    const { read, say, answer, ask } = flowFixture([
      [pay(1, 'paid')],
      [{ text: 'Paid.' }],
      [{ text: 'Anew.' }],
    ]);
    await answer(questionIn(await say('Go.')), true, { input: { to: 'bob', amount: 2 } });
    const response = await read(await ask(regenerate));
    expect(response.find(({ type }) => type === 'tool-input-available')).toMatchObject({
      input: { to: 'alice', amount: 1 },
    });
    expect(response.find(({ type }) => type === 'tool-output-available')).toMatchObject({
      toolMetadata: { countersign: { input: { to: 'bob', amount: 2 } } },
    });
  });

  it('shows the secrets of a kept call nowhere [ADR 0011]', async () => {
    const { read, say, answer, ask, view, events } = flowFixture(
      [
        [{ call: 'pay', id: 'paid', input: { to: 'secret-iban', amount: 1 } }],
        [{ text: 'Paid.' }],
        [{ text: 'Anew.' }],
      ],
      { toolDetails: { pay: { secrets: { input: ['to'], output: ['to'] } } } },
    );
    await answer(questionIn(await say('Go.')), true);
    const response = await read(await ask(regenerate));
    for (const seen of [response, await view(), await events()]) {
      expect(JSON.stringify(seen)).not.toContain('secret-iban');
    }
  });
});

describe('continuing after kept calls [H7]', () => {
  it('treats an answer to a kept call’s question as one to an earlier message [H10]', async () => {
    const { read, say, answer, ask } = flowFixture([[pay(1)], [{ text: 'Paid.' }], [{ text: 'Anew.' }]]);
    const id = questionIn(await say('Go.'));
    await answer(id, true);
    await read(await ask(regenerate));
    await expect(answer(id, true)).rejects.toMatchObject({ code: 'superseded' });
  });

  it('counts the steps after the cut for stop conditions and step limits [H7]', async () => {
    const { read, model, say, ask, events } = flowFixture([[weather], [{ text: 'Sunny.' }]], {
      stopWhen: ({ steps }) => steps.length === 1,
    });
    await say('Go.', { options: { stepLimit: 1 } });
    expect(model.calls).toHaveLength(1);
    await read(await ask(regenerate));
    expect(model.calls).toHaveLength(2);
    expect((await events()).at(-1)).toMatchObject({ type: 'run-completed', why: 'answered' });
  });

  it('passes the kept steps to `prepareStep` [H7]', async () => {
    const seen: [number, string[]][] = [];
    const { read, say, ask } = flowFixture([[weather], [{ text: 'Sunny.' }], [{ text: 'Anew.' }]], {
      prepareStep: ({ stepNumber, steps }) => {
        seen.push([stepNumber, steps.flatMap(({ toolCalls }) => toolCalls.map((call) => call.toolName))]);
        return {};
      },
    });
    await say('Go.');
    await read(await ask(regenerate));
    expect(seen).toEqual([
      [0, []],
      [1, ['weather']],
      [1, ['weather']],
    ]);
  });

  it('lets people retry a kept call that failed [D22]', async () => {
    let runs = 0;
    const { tools } = countingTools();
    const flaky = tool({
      inputSchema: z.object({}),
      execute: () => {
        runs += 1;
        if (runs < 2) throw Object.assign(new Error('Busy.'), { retryable: true });
        return 'well';
      },
    });
    const { flow, read, id, say, ask, view } = flowFixture(
      [[{ call: 'flaky', id: 'bad' }], [{ text: 'It failed.' }], [{ text: 'Anew.' }], [{ text: 'Well.' }]],
      { tools: { ...tools, flaky } as ToolSet, retry: false },
    );
    await say('Go.');
    await read(await ask(regenerate));
    const principal = { id: 'ada', name: 'Ada' };
    await read(await flow.chats.retryCall({ chatId: id, principal, toolCallId: 'bad' as never }));
    expect(runs).toBe(2);
    const states = shownCalls((await view()).messages[1]).map((call) => call.split(' ')[1]);
    expect(states).toEqual(['output-error', 'output-available']);
  });

  it('ends the turn normally if the model is silent after a regenerate, with the kept call in the response [T15]', async () => {
    for (const release of releases) {
      const { read, say, answer, ask } = flowFixture([[pay(1, 'paid')], [{ text: 'Paid.' }], []], {
        release,
      });
      await answer(questionIn(await say('Go.')), true);
      const response = await read(await ask(regenerate));
      expect(types(response)).not.toContain('error');
      expect(order(response)).toEqual(['paid']);
    }
  });

  it('continues on another instance [ADR 0009]', async () => {
    const store = sqliteStore({ path: ':memory:' });
    const here = flowFixture([[pay(1, 'one')], [{ text: 'Paid.' }], [pay(2, 'two')]], { store });
    const there = flowFixture([[{ text: 'Both paid.' }]], { store });
    const { say, answer, ask } = here.chat();
    await answer(questionIn(await say('Go.')), true);
    const asked = await here.read(await ask(regenerate));
    await here.flow.close();
    const last = await there.chat().answer(questionIn(asked), true);
    expect(order(last)).toEqual(['text', 'one', 'two']);
    expect(told(there.model.calls[0])).toEqual([
      'user: Go.',
      'assistant: one',
      'tool: one',
      'assistant: two',
      'tool: two',
    ]);
    expect(await messageOf([...asked, ...last])).toEqual(plain((await there.chat().view()).messages[1]));
  });

  it.each(releases)(
    'makes no client send anything automatically after a %s regenerate [P3, P8]',
    async (release) => {
      const { read, say, answer, output, ask, view } = flowFixture(
        [[pay(1, 'paid')], [{ call: 'theme', id: 'dark' }], [{ text: 'Dark.' }], [], [pay(2, 'asked')]],
        { release },
      );
      await answer(questionIn(await say('Go.')), true);
      await output('dark', 'dark');
      for (const clientTools of [[], ['theme']]) {
        await read(await ask(regenerate));
        const messages = (await view()).messages as never;
        expect(overSse({ clientTools })({ messages })).toBe(false);
        expect(overBidi({ clientTools })({ messages })).toBe(false);
      }
    },
  );
});

describe('a late outcome of a kept call [ADR 0018]', () => {
  const tools = {
    pay: tool({
      inputSchema: z.object({}),
      needsApproval: true,
      execute: (): Promise<string> =>
        Promise.reject(Object.assign(new Error('The line broke.'), { code: 'ECONNRESET' })),
    }),
  } as ToolSet;

  it('reaches the model, the page and the stored conversation, also after another regenerate [ADR 0018]', async () => {
    const script = [
      [{ call: 'pay', id: 'lost' }],
      [{ text: 'Lost.' }],
      [{ text: 'Anew.' }],
      [{ text: 'Again.' }],
    ];
    const { read, model, store, id, say, answer, ask, view, events } = flowFixture(script, {
      tools,
      logger: silent,
    });
    await answer(questionIn(await say('Go.')), true);
    await read(await ask(regenerate));
    const clock = fakeClock(Date.now());
    const engine = createEngine({ store, model }, { clock, logger: silent, random: () => 'another' });
    const report = {
      chatId: id,
      toolCallId: parseToolCallId('lost'),
      source: 'person',
      outcome: 'completed',
    } as const;
    await resolveOutcome(engine, { ...report, by: { id: 'bo', name: 'Bo' }, output: 'paid' });

    const isResolved = async () => {
      const [, message] = (await view()).messages;
      const part = message?.parts.find((found) => 'toolCallId' in found);
      expect(part).toMatchObject({
        state: 'output-available',
        output: 'paid',
        toolMetadata: { countersign: { resolved: { by: { id: 'bo' } } } },
      });
      expect(JSON.stringify(storedConversation(await events(), id))).not.toContain('outcome-unknown');
    };
    await isResolved();
    const response = await read(await ask(regenerate));
    await isResolved();
    expect(plain((await view()).messages[1])).toEqual(await messageOf(response));
    const prompt = JSON.stringify(model.calls[3]?.prompt);
    expect(prompt).toContain('lost');
    expect(prompt).not.toContain('outcome-unknown');
  });

  it('is kept when the message of an earlier turn is regenerated [ADR 0018]', async () => {
    const script = [
      [{ call: 'pay', id: 'lost' }],
      [{ text: 'Lost.' }],
      [{ text: 'Hello.' }],
      [{ text: 'Anew.' }],
    ];
    const { read, model, store, id, say, answer, ask, view } = flowFixture(script, { tools, logger: silent });
    await answer(questionIn(await say('Go.')), true);
    await say('Hi.');
    const engine = createEngine(
      { store, model },
      { clock: fakeClock(Date.now()), logger: silent, random: () => 'another' },
    );
    const toolCallId = parseToolCallId('lost');
    const by = { id: 'bo', name: 'Bo' };
    await resolveOutcome(engine, {
      chatId: id,
      toolCallId,
      source: 'person',
      outcome: 'completed',
      by,
      output: 'paid',
    });
    const messageId = parseMessageId((await view()).messages[1]?.id ?? '');
    await read(await ask({ ...regenerate, messageId }));
    expect(shownCalls((await view()).messages[1])).toEqual(['lost output-available']);
    expect(JSON.stringify(model.calls[3]?.prompt)).not.toContain('outcome-unknown');
  });
});
