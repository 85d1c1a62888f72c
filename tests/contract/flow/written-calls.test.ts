import { type ToolSet, tool, type UIMessageChunk } from 'ai';
import { fakeClock, type ScriptedPart, type ScriptedStep } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FlowSettings } from '../../../lib/flow/index.ts';
import type { Release } from '../../../lib/protocol/index.ts';
import { noRights } from '../../../lib/rights/rights-to.ts';
import { createUiChunks } from '../../../lib/views/chunks/ui-chunks.ts';
import { uiMessageChunks } from '../../../lib/views/index.ts';
import { project } from '../../../lib/views/reader/projection.ts';
import { barrier } from '../../support/barrier.ts';
import { messageOf, plain } from '../../support/client-message.ts';
import { countingTools, flowFixture, questionIn, types, userMessage } from '../../support/flow-fixture.ts';

const silent = { warn: () => {}, error: () => {} };
const input = { city: 'Rome' };
const written = JSON.stringify(input);

/** A call whose arguments are written in two deltas. The model pauses between them and after them. */
function slowCall(name: string, id = 'c1') {
  const halfway = barrier();
  const after = barrier();
  const script: ScriptedPart[] = [
    { writes: name, id, input: written.slice(0, 5) },
    { wait: halfway.wait },
    { writes: name, id, input: written.slice(5) },
    { call: name, id, input },
    { wait: after.wait },
  ];
  return { halfway, after, script };
}

type Reader = ReadableStreamDefaultReader<UIMessageChunk>;

/** Reads up to a chunk that matches. @returns what was read */
async function readUntil(reader: Reader, matches: (chunk: UIMessageChunk) => boolean) {
  const chunks: UIMessageChunk[] = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`It ended with ${chunks.map(({ type }) => type).join(', ')}.`);
    chunks.push(value);
    if (matches(value)) return chunks;
  }
}

async function rest(reader: Reader): Promise<UIMessageChunk[]> {
  const chunks: UIMessageChunk[] = [];
  for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
  return chunks;
}

async function begin(script: ScriptedStep[], settings: Partial<FlowSettings> = {}) {
  const fixture = flowFixture(script, { logger: silent, ...settings });
  const chat = fixture.chat();
  const stream = uiMessageChunks(await chat.ask({ message: userMessage('u1', 'Go.') }));
  return { ...fixture, ...chat, reader: stream.getReader() };
}

const isInput = (chunk: UIMessageChunk) =>
  chunk.type === 'tool-input-delta' ||
  (chunk.type === 'data-tool-input' && (chunk.data as { delta?: string }).delta !== '');
const isName = ({ type }: UIMessageChunk) => type === 'data-tool-input';
const hasDelta = (chunk: { data: unknown }) => 'delta' in (chunk.data as object);
const begun = (toolCallId: string, toolName: string) => ({
  toolCallId,
  toolName,
  delta: '',
  position: expect.any(Number),
});
const drafts = (chunks: readonly UIMessageChunk[]) =>
  chunks.flatMap((chunk) => (chunk.type === 'data-tool-input' ? [chunk.data] : []));
const starts = (chunks: readonly UIMessageChunk[]) =>
  types(chunks).filter((one) => one === 'tool-input-start');
const done: ScriptedStep = [{ text: 'Done.' }];

describe('a call that the model is writing [T18]', () => {
  it('is sent as a transient part before its step has ended, and as it is written [S17, T18]', async () => {
    const { halfway, after, script } = slowCall('weather');
    const { reader } = await begin([[{ text: 'Looking.' }, ...script, { text: 'More.' }], done]);
    const first = await readUntil(reader, isInput);
    expect(drafts(first)).toEqual([
      begun('c1', 'weather'),
      { toolCallId: 'c1', toolName: 'weather', delta: written.slice(0, 5) },
    ]);
    halfway.lift();
    after.lift();
    const chunks = [...first, ...(await rest(reader))];
    expect(starts(chunks)).toHaveLength(1);
    expect(
      drafts(chunks)
        .map((data) => (data as { delta?: string }).delta)
        .join(''),
    ).toBe(written);
    expect(drafts(chunks).every((data) => 'delta' in (data as object))).toBe(true);
  });

  it('is visible while the model continues with text after it [T18]', async () => {
    const talking = barrier();
    const pay = { call: 'pay', id: 'c1', input: { to: 'alice', amount: 1 } };
    const { reader } = await begin([[pay, { wait: talking.wait }, { text: 'And so on.' }]]);
    const before = await readUntil(reader, isInput);
    expect(drafts(before)).toEqual([
      begun('c1', 'pay'),
      { toolCallId: 'c1', toolName: 'pay', delta: JSON.stringify(pay.input) },
    ]);
    expect(types(before)).toEqual(['start', 'start-step']);
    talking.lift();
    expect(types(await rest(reader))).toEqual([
      ...['tool-input-start', 'tool-input-available', 'tool-approval-request', 'finish-step', 'finish'],
    ]);
  });

  it('reaches a reader that joins late with everything that was written so far [H2, T18]', async () => {
    const { halfway, after, script } = slowCall('weather');
    const { reader, flow, id } = await begin([script, done]);
    await readUntil(reader, isInput);
    const stream = await flow.chats.resume({ chatId: id, principal: { id: 'ada', name: 'Ada' } });
    if (!stream) throw new Error('There is nothing to resume.');
    const late = uiMessageChunks(stream).getReader();
    expect(drafts(await readUntil(late, isInput))).toMatchObject([
      { delta: '' },
      { delta: written.slice(0, 5) },
    ]);
    halfway.lift();
    after.lift();
    await Promise.all([rest(reader), rest(late)]);
  });

  it('shows nothing but its name if its tool has secrets, and the log has no more [T18, ADR 0011]', async () => {
    const { halfway, after, script } = slowCall('weather');
    const { reader, store, id } = await begin([script, done], {
      toolDetails: { weather: { title: 'The sky', secrets: { input: ['city'], output: [''] } } },
    });
    const first = await readUntil(reader, isName);
    halfway.lift();
    after.lift();
    const chunks = [...first, ...(await rest(reader))];
    expect(drafts(chunks)).toEqual([{ ...begun('c1', 'weather'), title: 'The sky' }]);
    expect(JSON.stringify(chunks)).not.toContain('Rome');
    const log = await store.events.read(id, 0);
    expect(log.flatMap((event) => (event.type === 'tool-input-delta' ? [event.delta] : []))).toEqual(['']);
  });

  it('shows only names if a repair could make it a call of a tool with secrets [T18, ADR 0011]', async () => {
    const { halfway, after, script } = slowCall('weather');
    const { reader } = await begin([script, done], {
      toolDetails: { pay: { secrets: { input: ['to'] } } },
      repairToolCall: async () => null,
    });
    const first = await readUntil(reader, isName);
    halfway.lift();
    after.lift();
    expect(drafts([...first, ...(await rest(reader))])).toMatchObject([{ toolName: 'weather', delta: '' }]);
  });

  it('shows nothing of a tool that the flow does not have [T18]', async () => {
    const { halfway, after, script } = slowCall('unknown');
    const known = slowCall('weather', 'c2');
    const { reader } = await begin([[...script.slice(0, 1), ...known.script, ...script.slice(1)], done]);
    const first = await readUntil(reader, isInput);
    for (const { lift } of [known.halfway, known.after, halfway, after]) lift();
    const names = drafts([...first, ...(await rest(reader))]).map(
      (data) => (data as { toolName: string }).toolName,
    );
    expect(new Set(names)).toEqual(new Set(['weather']));
  });

  it('shows nothing under an id that the chat has already, because the call gets another one [T18]', async () => {
    const again = slowCall('weather');
    const other = slowCall('weather', 'c2');
    const { reader } = await begin([
      [{ call: 'weather', id: 'c1', input }],
      [...again.script.slice(0, 1), ...other.script, ...again.script.slice(1)],
      done,
    ]);
    const first = await readUntil(reader, isInput);
    for (const { lift } of [other.halfway, other.after, again.halfway, again.after]) lift();
    const ids = drafts([...first, ...(await rest(reader))]).map(
      (data) => (data as { toolCallId: string }).toolCallId,
    );
    expect(new Set(ids)).toEqual(new Set(['c2']));
  });

  it('is retracted if the model does not complete it [T18]', async () => {
    const cut = barrier();
    const { reader } = await begin([
      [{ writes: 'pay', id: 'c1', input: '{"to' }, { wait: cut.wait }, { text: 'Rather not.' }],
    ]);
    const first = await readUntil(reader, isInput);
    cut.lift();
    const chunks = [...first, ...(await rest(reader))];
    expect(drafts(chunks).at(-1)).toEqual({ toolCallId: 'c1', toolName: 'pay' });
    expect((await messageOf(chunks)).parts.map(({ type }) => type)).toEqual(['step-start', 'text']);
  });

  it.each<[Release, string]>([
    ['final', 'data-tool-input'],
    ['progressive', 'reset-step'],
    ['hold-after-question', 'reset-step'],
  ])('is taken back when another instance runs its step again (%s)', async (release, withdrawal) => {
    const { halfway, after, script } = slowCall('weather');
    const { reader, store, id } = await begin([script, done], { release });
    await readUntil(reader, isInput);
    halfway.lift();
    after.lift();
    await rest(reader);
    const log = await store.events.read(id, 0);
    const lost = log.filter(({ type }) => type === 'step-started' || type === 'tool-input-delta').slice(0, 2);
    const place = log.findIndex(({ type }) => type === 'step-started');
    const view = { chat: { id, ownerId: 'ada' }, emitFrom: 0, replay: true, rights: () => noRights };
    const chunks = project(createUiChunks(view), log.toSpliced(place, 0, ...lost), view);
    const isWithdrawal = (chunk: UIMessageChunk) =>
      chunk.type === withdrawal && !('data' in chunk && hasDelta(chunk));
    expect(chunks.filter(isWithdrawal)).toHaveLength(1);
    expect(await messageOf(chunks)).toEqual(await messageOf(project(createUiChunks(view), log, view)));
  });

  it('is not recorded when the step ends immediately', async () => {
    const clock = fakeClock();
    const { store, say, id } = flowFixture([[{ call: 'weather', id: 'c1', input }], done], { clock });
    await say('Go.');
    expect((await store.events.read(id, 0)).filter(({ type }) => type.startsWith('tool-input'))).toEqual([]);
  });
});

const { weather, pay } = countingTools().tools;
const live = { release: 'progressive' } as const;

describe('a call that the model is writing, in progressive release [T11, T18]', () => {
  it('is one part from its first word to its outcome, if its tool can never ask', async () => {
    const { halfway, after, script } = slowCall('weather');
    const { reader, view, resume } = await begin(
      [[{ text: 'Looking.' }, ...script, { text: 'More.' }], done],
      live,
    );
    const first = await readUntil(reader, isInput);
    expect(types(first)).toEqual([
      ...['start', 'start-step', 'text-start', 'text-delta', 'tool-input-start', 'tool-input-delta'],
    ]);
    halfway.lift();
    after.lift();
    const chunks = [...first, ...(await rest(reader))];
    expect(starts(chunks)).toHaveLength(1);
    expect(drafts(chunks)).toEqual([]);
    expect(types(chunks)).not.toContain('reset-step');
    const message = await messageOf(chunks);
    expect(message.parts.map(({ type }) => type)).toEqual([
      ...['step-start', 'text', 'tool-weather', 'text', 'step-start', 'text'],
    ]);
    expect(message.parts[2]).toMatchObject({ state: 'output-available', input });
    expect(plain((await view()).messages.at(-1))).toEqual(message);
    expect(await messageOf((await resume()) ?? [])).toEqual(message);
  });

  it.each<[string, Partial<FlowSettings>]>([
    ['a tool that needs approval', { tools: { weather: { ...weather, needsApproval: true } } as ToolSet }],
    [
      'a function that may need it',
      { tools: { weather: { ...weather, needsApproval: () => false } } as ToolSet },
    ],
    ['a gate by tool', { toolApproval: { weather: () => undefined } }],
    ['an automatic approval', { toolApproval: { weather: 'approved' } }],
    ['one gate for all', { toolApproval: () => undefined }],
    ['prepareCall with a gate', { prepareCall: (given) => ({ ...given, toolApproval: () => undefined }) }],
    [
      'a client tool',
      { tools: { pay, weather: tool({ inputSchema: z.object({ city: z.string() }) }) } as ToolSet },
    ],
  ])('is not a part before the gate has decided, with %s', async (_case, settings) => {
    const { halfway, after, script } = slowCall('weather');
    const { reader } = await begin([script, done], { ...live, ...settings });
    const first = await readUntil(reader, isInput);
    expect(types(first)).toEqual(['start', 'start-step']);
    expect(drafts(first)).toMatchObject([begun('c1', 'weather'), { toolCallId: 'c1' }]);
    halfway.lift();
    after.lift();
    expect(starts(await rest(reader))).toHaveLength(1);
  });

  it.each<[string, ScriptedPart | 'stop', string]>([
    ['fails', { error: new Error('The vendor is down.') }, 'error'],
    ['is stopped', 'stop', 'abort'],
  ])('is taken back when the turn %s, and the text is kept', async (_case, end, last) => {
    const cut = barrier();
    const { reader, view, stop } = await begin(
      [
        [
          ...[{ text: 'Half of ' }, { writes: 'weather', id: 'c1', input: '{"ci' }, { wait: cut.wait }],
          ...(end === 'stop' ? [] : [end]),
        ],
      ],
      live,
    );
    const first = await readUntil(reader, isInput);
    const stopped = end === 'stop' ? stop() : undefined;
    if (!stopped) cut.lift();
    const chunks = [...first, ...(await rest(reader))];
    await stopped;
    expect(chunks.at(-1)?.type).toBe(last);
    const { messages } = await view();
    expect(messages.at(-1)?.parts).toMatchObject([
      { type: 'step-start' },
      { type: 'text', text: 'Half of ' },
    ]);
    expect(messages.at(-1)?.parts).toHaveLength(2);
    expect((await messageOf(chunks)).parts).toHaveLength(2);
  });

  it('is dropped with its step when the step is streamed again', async () => {
    const cut = barrier();
    const { reader, view } = await begin(
      [
        [
          { writes: 'weather', id: 'c1', input: '{"ci' },
          { wait: cut.wait },
          { error: new Error('Cut off.') },
        ],
        [{ call: 'weather', id: 'c1', input }],
        done,
      ],
      { ...live, streamRetries: 1 },
    );
    const first = await readUntil(reader, isInput);
    cut.lift();
    const chunks = [...first, ...(await rest(reader))];
    const message = await messageOf(chunks);
    expect(types(chunks).indexOf('reset-step')).toBeGreaterThan(-1);
    expect(message.parts.map(({ type }) => type)).toEqual([
      ...['step-start', 'tool-weather', 'step-start', 'text'],
    ]);
    expect(plain((await view()).messages.at(-1))).toEqual(message);
  });

  it('becomes an error if its arguments do not fit', async () => {
    const cut = barrier();
    const { reader, view } = await begin(
      [
        [
          { writes: 'weather', id: 'c1', input: '{"ci' },
          { wait: cut.wait },
          { call: 'weather', id: 'c1', input: {} },
        ],
        done,
      ],
      live,
    );
    const first = await readUntil(reader, isInput);
    cut.lift();
    const chunks = [...first, ...(await rest(reader))];
    const message = await messageOf(chunks);
    expect(message.parts.map(({ type }) => type)).toEqual([
      ...['step-start', 'dynamic-tool', 'step-start', 'text'],
    ]);
    expect(message.parts[1]).toMatchObject({ state: 'output-error', input: {} });
    expect(plain((await view()).messages.at(-1))).toEqual(message);
  });

  it('is retracted and asked about, if a repair makes it a call of a tool that asks', async () => {
    const cut = barrier();
    const { reader } = await begin(
      [
        [
          { writes: 'weather', id: 'c1', input: '{"ci' },
          { wait: cut.wait },
          { call: 'weather', id: 'c1', input: {} },
        ],
      ],
      {
        ...live,
        repairToolCall: async ({ toolCall }) => ({
          ...toolCall,
          toolName: 'pay',
          input: JSON.stringify({ to: 'alice', amount: 1 }),
        }),
      },
    );
    const first = await readUntil(reader, isInput);
    cut.lift();
    const chunks = [...first, ...(await rest(reader))];
    expect(questionIn(chunks)).toMatch(/^apr_/);
    const message = await messageOf(chunks);
    expect(message.parts).toMatchObject([{ type: 'step-start' }, { type: 'tool-pay', toolCallId: 'c1' }]);
  });
});
