import {
  createUIMessageStream,
  type ToolExecutionOptions,
  type ToolSet,
  tool,
  type UIMessage,
  type UIMessageChunk,
  type UIMessageStreamWriter,
} from 'ai';
import { collect, type ScriptedStep } from 'countersign/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import type { CallContext, FlowSettings } from '../../lib/flow/index.ts';
import { createChatSocketProjection } from '../../lib/plugins/chat-socket/projection.ts';
import { createResponseProjection } from '../../lib/plugins/responses/events/response-projection.ts';
import { createToolEventProjection } from '../../lib/plugins/tool-events/projection.ts';
import { twoStepProjection } from '../../lib/plugins/two-step-stream/projection.ts';
import { toJson } from '../../lib/protocol/index.ts';
import { parseDataPart } from '../../lib/run/data/parse-data-part.ts';
import { createMessageReducer } from '../../lib/views/chat/message-reducer.ts';
import { uiMessageChunks } from '../../lib/views/index.ts';
import { type Projection, project } from '../../lib/views/reader/projection.ts';
import { adr } from '../support/adr.ts';
import { clientMessage, plain } from '../support/client-message.ts';
import { flowFixture, questionIn, userMessage } from '../support/flow-fixture.ts';
import { lostRun } from '../support/lost-run.ts';

const { clause } = adr('0031-data-parts-are-events.md');

type Write = (context: CallContext) => unknown;

const call: ScriptedStep = [{ text: 'I pay.' }, { call: 'pay', id: 'pay-1', input: { card: '1234-5678' } }];
const done: ScriptedStep = [{ text: 'Done.' }];

/** A flow whose gated tool writes data parts. */
function paying(write: Write, settings: Partial<FlowSettings> = {}, script = [call, done]) {
  const pay = tool({
    inputSchema: z.looseObject({}),
    needsApproval: true,
    execute: async (_input, { context }: ToolExecutionOptions<CallContext>) => write(context),
  });
  const fixture = flowFixture(script, { tools: { pay } as ToolSet, ...settings });
  return { ...fixture, ...fixture.chat() };
}

/** The data of all data parts, apart from the library's own. */
const dataIn = (all: readonly (UIMessageChunk | UIMessage['parts'][number])[] = []) =>
  all.flatMap((one) => ('data' in one && /^data-(?!draft|tool)/.test(one.type) ? [plain(one.data)] : []));

clause('0031.1', async () => {
  const { say, answer, view, resume } = paying(({ writer }) =>
    writer.write({ type: 'data-receipt', data: 7 }),
  );
  const client = clientMessage();
  const first = await say('Pay.');
  await client.read(first);
  client.answer(questionIn(first), true);
  await client.read(await answer(questionIn(first), true));
  const stored = (await view()).messages[1];
  expect(dataIn(stored?.parts)).toEqual([7]);
  expect(plain(stored)).toEqual(client.value);
  expect(dataIn((await resume()) ?? [])).toEqual([7]);

  // Rejected: the writer of the response that asked.
  let native: UIMessageStreamWriter | undefined;
  const closed = paying(() => native?.write({ type: 'data-receipt', data: 7 }));
  const stream = await closed.ask({ message: userMessage('u1', 'Pay.') });
  const response = createUIMessageStream({
    execute: ({ writer }) => {
      native = writer;
      writer.merge(uiMessageChunks(stream));
    },
  });
  const asking = await collect(response);
  const continued = await closed.answer(questionIn(asking), true);
  expect([dataIn(asking), dataIn(continued), dataIn((await closed.view()).messages[1]?.parts)]).toEqual([
    [],
    [],
    [],
  ]);
});

clause('0031.2', async () => {
  const script = [call, [{ call: 'pay', id: 'pay-2', input: {} }], done] satisfies ScriptedStep[];
  const { say, answer, view } = paying(
    ({ writer }) => writer.write({ type: 'data-receipt', data: 7 }),
    {},
    script,
  );
  const second = await answer(questionIn(await say('Pay.')), true);
  expect([dataIn(second), dataIn((await view()).messages[1]?.parts)]).toEqual([[], []]);
  const last = await answer(questionIn(second), true);
  const order = last.flatMap((chunk) =>
    chunk.type === 'text-delta' ? [chunk.delta] : chunk.type.startsWith('data-receipt') ? ['receipt'] : [],
  );
  expect(order).toEqual(['I pay.', 'receipt', 'receipt', 'Done.']);
  expect(last.find(({ type }) => type === 'data-receipt')).toMatchObject({
    providerMetadata: { countersign: { position: expect.any(Number) } },
  });

  // As they happen, they come before the next question.
  const live = paying(
    ({ writer }) => writer.write({ type: 'data-receipt', data: 7 }),
    { release: 'progressive' },
    script,
  );
  expect(dataIn(await live.answer(questionIn(await live.say('Pay.')), true))).toEqual([7]);
});

clause('0031.3', async () => {
  for (const release of ['final', 'progressive'] as const) {
    const { say, answer, view } = paying(
      async ({ writer }) => {
        for (const data of ['sent', 'confirmed']) await writer.write({ type: 'data-state', id: 's', data });
      },
      { release },
    );
    const client = clientMessage();
    const first = await say('Pay.');
    await client.read(first);
    client.answer(questionIn(first), true);
    await client.read(await answer(questionIn(first), true));
    expect(dataIn(client.value.parts)).toEqual(['confirmed']);
    expect(plain((await view()).messages[1])).toEqual(client.value);
  }

  // Rejected: without an id, it is another part.
  const message: UIMessage = { id: 'm', role: 'assistant', parts: [] };
  const reduce = createMessageReducer(message);
  for (const data of ['sent', 'confirmed']) reduce({ type: 'data-state', data });
  expect(dataIn(message.parts)).toEqual(['sent', 'confirmed']);
});

clause('0031.4', async () => {
  const { say, answer, resume, store, id } = paying(
    ({ writer }) => {
      void writer.write({ type: 'data-log', data: 'kept' });
      return writer.write({ type: 'data-log', data: 'live', transient: true });
    },
    { release: 'progressive' },
  );
  expect(dataIn(await answer(questionIn(await say('Pay.')), true))).toEqual(['kept', 'live']);
  expect(JSON.stringify(await store.events.read(id, 0))).not.toContain('live');

  // Rejected: `kept` was recorded.
  expect(dataIn((await resume()) ?? [])).toEqual(['kept']);
});

clause('0031.5', async () => {
  const late: Promise<unknown>[] = [];
  const { heal, chat } = await lostRun({
    settings: { release: 'progressive' },
    begins: ({ writer }) => writer.write({ type: 'data-state', data: 'begun' }),
    result: ({ writer }) => {
      for (const transient of [false, true])
        late.push(writer.write({ type: 'data-state', data: 'late', transient }));
    },
  });
  await heal();
  expect((await Promise.allSettled(late)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const stored = (await chat.view()).messages[1];
  expect(dataIn(stored?.parts)).toEqual(['begun']);
  expect(JSON.stringify(await chat.events())).not.toContain('"data":"late"');

  // Rejected: sent at once. This reader has a part that no other reader ever gets.
  const eager = structuredClone(stored) as UIMessage;
  createMessageReducer(eager)({ type: 'data-state', data: 'late' });
  expect(dataIn(eager.parts)).toEqual(['begun', 'late']);
});

clause('0031.6', async () => {
  const data = { token: 'tok-4711', text: 'Charged 1234-5678.' };
  const secrets = { input: ['card'], output: ['token'] };
  const { say, answer, view, events, store, id } = paying(
    ({ writer }) => writer.write({ type: 'data-receipt', data }),
    { toolDetails: { pay: { secrets } } },
  );
  const last = await answer(questionIn(await say('Pay.')), true);
  const hidden = { token: '[redacted]', text: 'Charged [redacted].' };
  expect([dataIn(last), dataIn((await view()).messages[1]?.parts)]).toEqual([[hidden], [hidden]]);
  expect(JSON.stringify(await events())).not.toMatch(/4711|5678/);
  expect(JSON.stringify(await store.events.read(id, 0))).toContain('tok-4711');
});

clause('0031.7', async () => {
  const { say, answer, ask, read, view } = paying(
    ({ writer }) => writer.write({ type: 'data-receipt', data: 7 }),
    {},
    [call, done, [{ text: 'Again.' }]],
  );
  await answer(questionIn(await say('Pay.')), true);
  const again = await read(await ask({ trigger: 'regenerate-message' }));
  const stored = (await view()).messages[1];
  expect([dataIn(again), dataIn(stored?.parts)]).toEqual([[7], [7]]);

  // Rejected: taken as text. The text of the message that was replaced is gone.
  expect(JSON.stringify(stored)).not.toContain('I pay.');
});

clause('0031.8', () => {
  const refused: unknown[] = [
    { type: 'data-draft', data: {} },
    { type: 'data-tool-input', data: {} },
    { type: 'data-tool-lifecycle', data: {} },
    { type: 'data-x', data: { at: new Date(0) } },
    { type: 'data-x', data: 'x'.repeat(100_000) },
  ];
  for (const part of refused) {
    expect(() => parseDataPart(part)).toThrow(expect.objectContaining({ code: 'invalid-request' }));
  }

  // Rejected: copied by JSON.
  expect(toJson({ at: new Date(0) })).toEqual({ at: '1970-01-01T00:00:00.000Z' });
});

clause('0031.9', async () => {
  const { say, answer, store, id } = paying(({ writer }) =>
    writer.write({ type: 'data-receipt', data: 'R-7' }),
  );
  await answer(questionIn(await say('Pay.')), true);
  const log = await store.events.read(id, 0);
  const run = log.findLast(({ type }) => type === 'run-started')?.runId;
  const dialects: (() => Projection<unknown>)[] = [
    () => createToolEventProjection(id),
    () => twoStepProjection,
    () => createChatSocketProjection({ conversationId: id, maxResultBytes: 1_000, streamsResults: true }),
    () =>
      createResponseProjection({
        chatId: id,
        serverLabel: 's',
        serverTools: 'mcp_call',
        model: 'm',
        given: {},
        begins: ({ runId }) => runId === run,
      }),
  ];
  for (const dialect of dialects) {
    const frames = project(dialect(), log);
    const without = log.filter(({ type }) => type !== 'data-written');
    expect(frames.length).toBeGreaterThan(0);
    expect(frames).toEqual(project(dialect(), without));
    expect(JSON.stringify(frames)).not.toContain('R-7');
  }
});
