import { type ToolExecutionOptions, type ToolSet, tool, type UIMessage, type UIMessageChunk } from 'ai';
import type { CallContext, DataWriter, FlowSettings } from 'countersign';
import { remembered } from 'countersign/plugins/remembered';
import { sqliteStore } from 'countersign/store';
import { checkResponseTiming, interceptedStore, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type FlowEvent, parseApprovalId, type RunId, type ToolCallId } from '../../../lib/protocol/index.ts';
import { redactEvents } from '../../../lib/views/reader/redact-events.ts';
import { barrier } from '../../support/barrier.ts';
import { clientMessage, messageOf, plain } from '../../support/client-message.ts';
import { ada, flowFixture, lasting, questionIn } from '../../support/flow-fixture.ts';
import { untilIdle } from '../../support/until-idle.ts';

type Context = ToolExecutionOptions<CallContext>['context'];
type Act = (context: Context) => unknown;

const releases = ['final', 'progressive'] as const;
const quiet = { warn: () => {}, error: () => {} };

/** A flow with an ungated tool `act`, which does this, and a gated `pay`. */
function acting(act: Act, script: ScriptedStep[], settings: Partial<FlowSettings> = {}) {
  const tools = {
    act: tool({
      inputSchema: z.looseObject({}),
      execute: async (_input, { context }: ToolExecutionOptions<CallContext>) => act(context),
    }),
    pay: tool({ inputSchema: z.object({}), needsApproval: true, execute: async () => 'paid' }),
  } as unknown as ToolSet;
  const fixture = flowFixture(script, { tools, logger: quiet, ...settings });
  return { ...fixture, ...fixture.chat() };
}

const ofLibrary = ['data-draft', 'data-tool-input', 'data-tool-lifecycle'];
const isData = ({ type }: { type: string }) => type.startsWith('data-') && !ofLibrary.includes(type);

/** The data of a response's own data chunks, in order. */
const dataIn = (chunks: readonly UIMessageChunk[]) =>
  chunks.filter(isData).map((chunk) => ('data' in chunk ? chunk.data : undefined));

/** The parts of a message in short. */
const shape = (message: Pick<UIMessage, 'parts'> | undefined) =>
  message?.parts.flatMap((part) => {
    if (part.type === 'text') return [part.text];
    if ('data' in part) return [plain(part.data)];
    return 'toolCallId' in part ? [part.toolCallId] : [];
  });

const step = (...ids: string[]): ScriptedStep => ids.map((id) => ({ call: 'act', id, input: {} }));
const say = (text: string): ScriptedStep => [{ text }];

describe('persistent data parts of a tool [T3, T11, H4]', () => {
  const act: Act = async ({ writer }) => {
    await writer.write({ type: 'data-step', data: { at: 1 } });
    await writer.write({ type: 'data-sum', id: 'sum', data: 1 });
    void writer.write({ type: 'data-step', data: { at: 2 } });
    void writer.write({ type: 'data-sum', id: 'sum', data: 2 });
    return 'done';
  };
  const script = () => [[{ text: 'Look.' }, ...step('act-1')], say('Seen.')];

  it('are streamed where they were written, with `progressive`', async () => {
    const { say: ask, view, resume } = acting(act, script(), { release: 'progressive' });
    const response = await ask('Go.');
    expect(dataIn(response)).toEqual([{ at: 1 }, 1, { at: 2 }, 2]);
    const [, stored] = (await view()).messages;
    expect(shape(stored)).toEqual(['Look.', 'act-1', { at: 1 }, 2, { at: 2 }, 'Seen.']);
    expect(plain(stored)).toEqual(await messageOf(response));
    expect(await messageOf((await resume()) ?? [])).toEqual(await messageOf(response));
  });

  it('are withheld like text with `final`, and released with it, each `id` once', async () => {
    const steps = [
      [{ text: 'Look.' }, ...step('act-1')],
      [{ call: 'pay', id: 'pay-1', input: {} }],
      say('Seen.'),
    ];
    const { say: ask, answer, view } = acting(act, steps);
    const first = await ask('Go.');
    expect(dataIn(first)).toEqual([]);
    expect((await view()).messages[1]?.parts.filter(isData)).toEqual([]);
    const last = await answer(questionIn(first), true);
    expect(checkResponseTiming([first, last], { finished: true })).toEqual([]);
    expect(dataIn(last)).toEqual([{ at: 1 }, 2, { at: 2 }]);
    const client = clientMessage();
    await client.read(first);
    client.answer(questionIn(first), true);
    await client.read(last);
    const [, stored] = (await view()).messages;
    expect(shape(stored)).toEqual(['pay-1', 'Look.', { at: 1 }, 2, { at: 2 }, 'Seen.', 'act-1']);
    expect(plain(stored)).toEqual(client.value);
  });

  it('say where they belong in a `final` turn: after the call that wrote them', async () => {
    const response = await acting(act, script()).say('Go.');
    const position = (matches: (chunk: UIMessageChunk) => boolean) => {
      const chunk = response.find(matches);
      const { countersign } = (chunk && 'providerMetadata' in chunk && chunk.providerMetadata) || {};
      return Number((countersign as { position: number } | undefined)?.position);
    };
    const call = position(({ type }) => type === 'tool-input-available');
    const written = position(isData);
    const seen = position((chunk) => chunk.type === 'text-start' && chunk.id.startsWith('1.'));
    expect([call < written, written < seen]).toEqual([true, true]);
  });

  it.each(releases)('are not seen by the model, and stay when the tool fails, with `%s`', async (release) => {
    const failing: Act = async ({ writer }) => {
      await writer.write({ type: 'data-secretive', data: 'written' });
      throw new Error('No line.');
    };
    const { say: ask, view, model } = acting(failing, [step('act-1'), say('Sorry.')], { release });
    await ask('Go.');
    expect(shape((await view()).messages[1])).toContain('written');
    expect(JSON.stringify(model.calls[1])).not.toContain('data-secretive');
  });

  it.each(releases)('stay with a call that is kept by a regenerate, with `%s` [H7]', async (release) => {
    const steps = [step('act-1'), say('Once.'), say('Again.')];
    const { say: ask, ask: send, read, view, resume } = acting(act, steps, { release });
    await ask('Go.');
    const again = await read(await send({ trigger: 'regenerate-message' }));
    const [, stored] = (await view()).messages;
    expect(new Set(shape(stored))).toEqual(new Set(['act-1', { at: 1 }, 2, { at: 2 }, 'Again.']));
    expect(plain(stored)).toEqual(await messageOf(again));
    expect(await messageOf((await resume()) ?? [])).toEqual(plain(stored));
  });
});

describe('transient data parts [T6]', () => {
  it.each(releases)(
    'reach those who read now, in order with the others, and nobody later, with `%s`',
    async (release) => {
      const act: Act = async ({ writer }) => {
        void writer.write({ type: 'data-log', data: 'stored 1' });
        void writer.write({ type: 'data-log', data: 'live 1', transient: true });
        void writer.write({ type: 'data-log', data: 'stored 2' });
        await writer.write({ type: 'data-log', data: 'live 2', transient: true });
        return 'done';
      };
      const { say: ask, view, resume, events } = acting(act, [step('act-1'), say('Seen.')], { release });
      const response = await ask('Go.');
      const all = ['stored 1', 'live 1', 'stored 2', 'live 2'];
      const released = ['live 1', 'live 2', 'stored 1', 'stored 2'];
      expect(dataIn(response)).toEqual(release === 'final' ? released : all);
      expect(dataIn(lasting(response))).toEqual(['stored 1', 'stored 2']);
      expect(dataIn((await resume()) ?? [])).toEqual(['stored 1', 'stored 2']);
      expect(plain((await view()).messages[1])).toEqual(await messageOf(response));
      expect(JSON.stringify(await events())).not.toContain('live');
    },
  );
});

describe('what a writer accepts', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;

  it.each<[string, unknown, string]>([
    ['no type', { data: 1 }, 'must have a `type` of `data-` and a name'],
    ['another type', { type: 'text', data: 1 }, 'must have a `type` of `data-` and a name'],
    ['no name', { type: 'data-', data: 1 }, 'must have a `type` of `data-` and a name'],
    ['a long name', { type: `data-${'x'.repeat(300)}`, data: 1 }, 'of at most 255 characters'],
    ['a draft', { type: 'data-draft', data: 1 }, '`data-draft` is a part of this library'],
    ['a tool input', { type: 'data-tool-input', data: 1 }, '`data-tool-input` is a part of this library'],
    ['a report', { type: 'data-tool-lifecycle', data: 1 }, '`data-tool-lifecycle` is a part of this library'],
    ['an id that is no string', { type: 'data-x', id: 7, data: 1 }, 'The `id` of `data-x` must be a string'],
    ['a misspelt field', { type: 'data-x', data: 1, transiant: true }, 'has the field `transiant`'],
    [
      'a `transient` that is no boolean',
      { type: 'data-x', data: 1, transient: 'yes' },
      'must be true or false',
    ],
    ['no data', { type: 'data-x' }, 'must be JSON: it contains a value of type undefined'],
    ['a function', { type: 'data-x', data: { a: [() => 1] } }, 'contains a value of type function'],
    ['a date', { type: 'data-x', data: { at: new Date(0) } }, 'contains an object of the class Date'],
    ['a number that JSON lacks', { type: 'data-x', data: Number.NaN }, 'contains NaN'],
    ['a cycle', { type: 'data-x', data: cyclic }, 'nested deeper than 64 levels, or contains itself'],
    ['a reserved key', { type: 'data-x', data: JSON.parse('{"__proto__":1}') }, 'has the key __proto__'],
    [
      '100 kB and a byte',
      { type: 'data-x', data: 'x'.repeat(99_999) },
      'has 100001 bytes as JSON. At most 100000',
    ],
  ])('refuses %s with a clear error', async (_what, part, message) => {
    const { flow, chat } = flowFixture([]);
    const { write } = flow.chats.writer({ chatId: chat().id, principal: ada });
    expect(() => write(part as never)).toThrow(
      expect.objectContaining({ code: 'invalid-request', message: expect.stringContaining(message) }),
    );
  });

  it('takes a copy, and leaves out fields that are undefined', async () => {
    const data = { at: 1, none: undefined };
    const { say: ask, view } = acting(
      ({ writer }) => {
        void writer.write({ type: 'data-x', data });
        data.at = 2;
      },
      [step('act-1'), say('Done.')],
    );
    await ask('Go.');
    expect(shape((await view()).messages[1])).toContainEqual({ at: 1 });
  });
});

describe('who may write', () => {
  /** A turn whose model waits in the middle of its text. */
  async function speaking(settings: Partial<FlowSettings> = {}) {
    const { wait, lift } = barrier();
    const fixture = flowFixture([[{ text: 'One ' }, { wait }, { text: 'two.' }], say('Three.')], settings);
    const chat = fixture.chat();
    const response = chat.say('Go.');
    await expect.poll(async () => (await fixture.store.chats.head(chat.id))?.status).toBe('active');
    return { ...fixture, ...chat, response, lift };
  }

  it.each(releases)('a route, into a running turn, in the order of its calls, with `%s`', async (release) => {
    const { flow, id: chatId, response, lift, view } = await speaking({ release });
    const writer = flow.chats.writer<UIMessage<never, { note: number }>>({ chatId, principal: ada });
    void writer.write({ type: 'data-note', data: 1 });
    await writer.write({ type: 'data-note', data: 2 });
    lift();
    const chunks = await response;
    expect(dataIn(chunks)).toEqual([1, 2]);
    expect(plain((await view()).messages[1])).toEqual(await messageOf(chunks));
  });

  it.each(releases)('a route, into a step that is streamed again, once, with `%s` [T11]', async (release) => {
    const { wait, lift } = barrier();
    const steps: ScriptedStep[] = [[{ text: 'One' }, { wait }, { error: new Error('broken') }], say('Two.')];
    const fixture = flowFixture(steps, { release, streamRetries: 1, logger: quiet });
    const { say: ask, id: chatId, view } = fixture.chat();
    const response = ask('Go.');
    await expect
      .poll(async () => (await fixture.store.events.read(chatId, 0)).map(({ type }) => type))
      .toContain('text-delta');
    await fixture.flow.chats.writer({ chatId, principal: ada }).write({ type: 'data-note', data: 1 });
    lift();
    const chunks = await response;
    const [, stored] = (await view()).messages;
    expect(new Set(shape(stored))).toEqual(new Set([1, 'Two.']));
    expect(shape(stored)).toHaveLength(2);
    expect(plain(stored)).toEqual(await messageOf(chunks));
  });

  it.each<[why: string, begun: string, broken: (wait: Promise<void>) => ScriptedStep]>([
    [
      'is streamed again',
      'text-delta',
      (wait) => [{ text: 'One' }, { wait }, { error: new Error('broken') }],
    ],
    [
      'withdraws a call that was being written',
      'tool-input-delta',
      (wait) => [{ writes: 'act', id: 'act-1', input: '{' }, { wait }, { text: 'Two.' }],
    ],
  ])(
    'a route, and a part that was replaced is not sent again with its step when that %s',
    async (_why, begun, broken) => {
      const { wait, lift } = barrier();
      const settings = { release: 'progressive', streamRetries: 1 } as const;
      const {
        say: ask,
        id: chatId,
        view,
        resume,
        store,
        flow,
      } = acting(() => 'done', [broken(wait), say('Two.')], settings);
      const response = ask('Go.');
      await expect
        .poll(async () => (await store.events.read(chatId, 0)).map(({ type }) => type))
        .toContain(begun);
      const { write } = flow.chats.writer({ chatId, principal: ada });
      for (const data of [1, 2]) await write({ type: 'data-note', id: 'note', data });
      await write({ type: 'data-note', id: 'other', data: 3 });
      lift();
      const chunks = await response;
      const again = chunks.findIndex(({ type }) => type === 'reset-step');
      expect(again).toBeGreaterThan(-1);
      expect([dataIn(chunks.slice(0, again)), dataIn(chunks.slice(again))]).toEqual([
        [1, 2, 3],
        [2, 3],
      ]);
      const [, stored] = (await view()).messages;
      expect(shape(stored)?.toSorted()).toEqual([2, 3, 'Two.']);
      expect(plain(stored)).toEqual(await messageOf(chunks));
      expect(await messageOf((await resume()) ?? [])).toEqual(plain(stored));
    },
  );

  it('a route, behind the use of a remembered approval that is under way [ADR 0015]', async () => {
    const written: Promise<void>[] = [];
    const inner = sqliteStore({ path: ':memory:' });
    const store = interceptedStore(inner, async ({ events, chatId }) => {
      const isUse = events.some(({ type }) => type === 'approval-granted');
      if (!isUse || written.length > 0) return;
      written.push(flow.chats.writer({ chatId, principal: ada }).write({ type: 'data-note', data: 1 }));
      // The writer has looked at the chat.
      await untilIdle();
    });
    const pay: ScriptedStep = [{ call: 'pay', input: { to: 'alice', amount: 5 } }];
    const { flow, chat } = flowFixture([pay, say('Paid.'), pay, say('Paid again.')], {
      store,
      plugins: [remembered()],
    });
    const first = chat('first');
    await first.answer(questionIn(await first.say('Pay.')), true, {
      plugins: { remembered: { scope: 'me', match: 'tool' } },
    });
    const later = chat('later');
    const response = await later.say('Pay.');
    await Promise.all(written);
    expect(dataIn(response)).toEqual([1]);
    const log = (await inner.events.read(later.id, 0)).map(({ type }) => type);
    expect(log.indexOf('data-written')).toBe(log.indexOf('approval-granted') + 1);
    expect(shape((await later.view()).messages[1])).toContain('Paid again.');
  });

  it('nobody, when no turn is running', async () => {
    const { flow, say: ask, id: chatId } = acting(() => 'x', [[{ call: 'pay', input: {} }], say('Paid.')]);
    const write = () => flow.chats.writer({ chatId, principal: ada }).write({ type: 'data-x', data: 1 });
    await expect(write()).rejects.toMatchObject({ code: 'not-found' });
    const question = questionIn(await ask('Go.'));
    const none = { code: 'invalid-request', message: expect.stringContaining('has no running turn') };
    await expect(write()).rejects.toMatchObject(none);
    await flow.approvals.answer({
      principal: ada,
      approvalId: parseApprovalId(question),
      approved: true,
      via: 'test',
    });
    await expect
      .poll(async () => (await flow.chats.read({ chatId, principal: ada })).run.status)
      .toBe('idle');
    await expect(write()).rejects.toMatchObject(none);
  });

  it('nobody who may not see the chat', async () => {
    const { flow, id: chatId, response, lift } = await speaking();
    const { write } = flow.chats.writer({ chatId, principal: { id: 'ben', name: 'Ben' } });
    await expect(write({ type: 'data-x', data: 1 })).rejects.toMatchObject({ code: 'not-found' });
    lift();
    expect(dataIn(await response)).toEqual([]);
  });

  it('no instance that does not execute the turn', async () => {
    const { store, id: chatId, response, lift } = await speaking();
    const { flow } = flowFixture([], { store });
    const { write } = flow.chats.writer({ chatId, principal: ada });
    await expect(write({ type: 'data-x', data: 1 })).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('runs on another instance'),
    });
    lift();
    expect(dataIn(await response)).toEqual([]);
    await flow.close();
  });

  it('no call after its end', async () => {
    let writer: DataWriter | undefined;
    const act: Act = (context) => {
      writer = context.writer;
    };
    const { wait, lift } = barrier();
    const { say: ask, store, id } = acting(act, [step('act-1'), [{ wait }, { text: 'Done.' }]]);
    const response = ask('Go.');
    await expect
      .poll(async () => (await store.events.read(id, 0)).map(({ type }) => type))
      .toContain('tool-completed');
    const live = { type: 'data-late', data: 1, transient: true } as const;
    await expect(writer?.write(live)).rejects.toMatchObject({ code: 'invalid-request' });
    await expect(writer?.write({ type: 'data-late', data: 1 })).rejects.toMatchObject({
      code: 'invalid-request',
    });
    lift();
    expect(dataIn(await response)).toEqual([]);
  });
});

describe('secrets of the tool that writes', () => {
  it('are not in its data parts, stored or transient [ADR 0011]', async () => {
    const act: Act = ({ writer }) => {
      const data = {
        token: 'tok-4711',
        note: 'Card 1234-5678 was charged.',
        pin: 482_913,
        '1234-5678': 'ok',
      };
      void writer.write({ type: 'data-receipt', data });
      void writer.write({ type: 'data-receipt', data, transient: true });
      return data;
    };
    const secrets = { input: ['card', 'pin'], output: ['token'] };
    const input = { card: '1234-5678', pin: 482_913 };
    const script = [[{ call: 'act', id: 'act-1', input }], say('Charged.')];
    const { say: ask, view, events, store, id } = acting(act, script, { toolDetails: { act: { secrets } } });
    const hidden = {
      token: '[redacted]',
      note: 'Card [redacted] was charged.',
      pin: '[redacted]',
      '[redacted]': 'ok',
    };
    expect(dataIn(await ask('Go.'))).toEqual([hidden, hidden]);
    expect(shape((await view()).messages[1])).toContainEqual(hidden);
    expect(JSON.stringify(await events())).not.toContain('4711');
    // The log is complete: what hides is each view.
    expect(JSON.stringify(await store.events.read(id, 0))).toContain('tok-4711');
  });

  it('cannot be in the `id` of a data part, which is shown', async () => {
    let refusal: unknown;
    const act: Act = async ({ writer }) => {
      refusal = await writer
        .write({ type: 'data-account', id: '1234-5678', data: 1 })
        .catch((error) => error);
    };
    const script = [[{ call: 'act', id: 'act-1', input: { card: '1234-5678' } }], say('Done.')];
    const details = { toolDetails: { act: { secrets: { input: ['card'] } } } };
    expect(dataIn(await acting(act, script, details).say('Go.'))).toEqual([]);
    expect(String(refusal)).toContain('contains a secret argument');
  });

  it('include those that a person gave with the approval', () => {
    const place = { runId: 'run_1' as RunId, at: 0 };
    const call = { toolCallId: 'call-1' as ToolCallId, toolName: 'pay' };
    const [, , written] = redactEvents([
      {
        ...place,
        ...call,
        type: 'tool-requested',
        seq: 1,
        input: { card: '1234-5678' },
        executor: 'server',
        gate: { type: 'ask' },
        secrets: { input: ['card'] },
      },
      { ...place, ...call, type: 'tool-started', seq: 2, input: { card: '5555-6666' } },
      {
        ...place,
        type: 'data-written',
        seq: 3,
        toolCallId: call.toolCallId,
        part: { type: 'data-status', data: 'Charging 5555-6666, not 1234-5678' },
      },
    ] as FlowEvent[]);
    expect(written).toMatchObject({ part: { data: 'Charging [redacted], not [redacted]' } });
  });
});
