import { createHash } from 'node:crypto';
import { type ToolSet, tool } from 'ai';
import { type FlowSettings, largeResult } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { collect, fakeClock } from 'countersign/testing';
import { expect, vi } from 'vitest';
import { z } from 'zod';
import { createChatSocketProjection } from '../../lib/plugins/chat-socket/projection.ts';
import { createToolEventProjection } from '../../lib/plugins/tool-events/projection.ts';
import { twoStepProjection } from '../../lib/plugins/two-step-stream/projection.ts';
import {
  CountersignError,
  type EventOf,
  type FlowEvent,
  parseChatId,
  parseToolCallId,
} from '../../lib/protocol/index.ts';
import { textParts } from '../../lib/run/call/result/text-parts.ts';
import { verifyAudit } from '../../lib/views/audit/verify-audit.ts';
import { type Projection, runProjection } from '../../lib/views/reader/projection.ts';
import { adr } from '../support/adr.ts';
import { barrier } from '../support/barrier.ts';
import { cutOffStore } from '../support/cut-off-store.ts';
import { ada, flowFixture, userMessage } from '../support/flow-fixture.ts';
import { lostRun } from '../support/lost-run.ts';
import { passTime } from '../support/pass-time.ts';
import { joinedForEachPart } from './rejected/joined-for-each-part.ts';
import { textInEvents } from './rejected/text-in-events.ts';

const { clause } = adr('0042-large-results.md');

const chatId = parseChatId('chat');
const toolCallId = parseToolCallId('read');
const auditKey = 'an audit key for tests';
const quiet = { warn: () => {}, error: () => {} };
/** A mark that no frame of a wire may have. */
const secretLine = 'row of the text';
const text = `${`${secretLine} 😀\n`.repeat(9_000)}\u0000 "end"`;

async function* piecesOf(whole: string, size = 10_007): AsyncGenerator<string> {
  for (let from = 0; from < whole.length; from += size) yield whole.slice(from, from + size);
}

/** A chat in which a tool has returned this, and the model has answered. */
async function served(execute: () => unknown, settings: Partial<FlowSettings> = {}, id = 'chat') {
  const read = tool({ inputSchema: z.object({}), execute: async () => execute() });
  const fixture = flowFixture([[{ call: 'read', id: 'read' }], [{ text: 'Done.' }]], {
    tools: { read } as ToolSet,
    logger: quiet,
    ...settings,
  });
  const chat = fixture.chat(id);
  const chunks = await chat.say('Go.');
  const events = await chat.events();
  const end = events.find((event): event is EventOf<'tool-completed'> => event.type === 'tool-completed');
  return { ...fixture, chat, chunks, events, end };
}

const large = (summary = 'All rows.', whole = text) => largeResult({ summary, text: piecesOf(whole) });

async function textOf({ flow }: Pick<ReturnType<typeof flowFixture>, 'flow'>, principal = ada) {
  const parts = await flow.chats.resultText({ principal, chatId, toolCallId });
  return parts && (await collect(parts)).join('');
}

clause('0042.1', async () => {
  const { end, model } = await served(() => 'x'.repeat(100), { maxOutputBytes: 50 });
  const problem = 'read ran, but its result has 102 bytes, more than the 50 that are kept.';
  expect(end).toMatchObject({ output: null, summary: problem, resultCount: 0 });
  expect(JSON.stringify(model.calls[1]?.prompt)).toContain(`${problem} It must return`);
  const umlauts = await served(() => 'ü'.repeat(30), { maxOutputBytes: 50 });
  expect(umlauts.end?.summary).toContain('62 bytes');
});

clause('0042.2', async () => {
  const reference = {
    url: 'https://files.example/7',
    mediaType: 'text/csv',
    size: 9e9,
    summary: 'All rows.',
  };
  const { end, chunks } = await served(() => reference, { maxOutputBytes: 200 });
  expect(end?.output).toEqual(reference);
  expect(chunks).toContainEqual(
    expect.objectContaining({ type: 'tool-output-available', output: reference }),
  );
});

clause('0042.3', async () => {
  const { events, chunks, model, chat } = await served(() => large());
  const projections: Projection<unknown>[] = [
    createToolEventProjection(chatId),
    createChatSocketProjection({ conversationId: chatId, maxResultBytes: 100_000, streamsResults: true }),
    twoStepProjection,
  ];
  const framesOf = (log: readonly FlowEvent[]) =>
    projections.map((projection) => {
      const turn = runProjection(projection);
      return JSON.stringify(log.flatMap((event) => turn.push(event)));
    });
  const views = [...framesOf(events), JSON.stringify(chunks), JSON.stringify((await chat.view()).messages)];
  const prompt = JSON.stringify(model.calls[1]?.prompt);
  for (const view of [...views, prompt]) {
    expect([view.includes('All rows.'), view.includes(secretLine)]).toEqual([true, false]);
  }
  expect(prompt).toContain(`"bytes":${Buffer.byteLength(text)}`);
  expect(views[0]).toContain('"outputRef":"result?conversationId=chat&toolCallId=read"');
  expect(views[1]).toContain(`"truncated":true,"original_length":${Buffer.byteLength(text)}`);
  expect(JSON.stringify(textInEvents(events, text)).length).toBeGreaterThan(text.length);
});

clause('0042.4', async () => {
  const fixture = await served(() => large());
  expect((await textOf(fixture)) === text).toBe(true);
  expect(fixture.end?.storedText).toMatchObject({ parts: 3, bytes: Buffer.byteLength(text) });
  await expect(textOf(fixture, { id: 'mallory', name: 'Mallory' })).rejects.toThrow(/chat/i);
});

clause('0042.5', async () => {
  const sha256 = createHash('sha256').update(text).digest('hex');
  const fixture = await served(() => large(), { auditKey });
  const { flow, store, end, chat } = fixture;
  expect(end?.output).toEqual({ summary: 'All rows.', bytes: Buffer.byteLength(text), sha256 });
  const { entries, head } = await flow.audit.read({ principal: ada, chatId });
  expect(verifyAudit(entries, { key: auditKey, head })).toBeUndefined();
  expect(entries.at(-1)).toMatchObject({ type: 'ended', digest: expect.stringMatching(/^hmac-sha256/) });
  const resultId = end?.storedText?.id ?? '';
  const part = () => store.results.read({ chatId, resultId, index: 0 });
  expect(await part()).toBeDefined();
  await flow.chats.erase({ principal: ada, chatId });
  expect(await part()).toBeUndefined();
  await chat.say('Again.');
  expect(await part()).toBeUndefined();
});

clause('0042.6', async () => {
  let attempts = 0;
  async function* failing() {
    attempts += 1;
    yield `attempt ${attempts}`;
    if (attempts === 1) throw Object.assign(new Error('Busy.'), { statusCode: 503 });
  }
  const execute = () => largeResult({ summary: 'Rows.', text: failing() });
  const failed = await served(execute);
  expect(failed.end).toBeUndefined();
  expect(failed.events).toContainEqual(expect.objectContaining({ type: 'tool-failed', error: 'Busy.' }));
  attempts = 0;
  const again = await served(execute, { toolDetails: { read: { idempotent: true } } });
  expect(await textOf(again)).toBe('attempt 2');
});

clause('0042.7', async () => {
  const clock = fakeClock();
  const inner = sqliteStore({ path: ':memory:' });
  const line = cutOffStore(inner);
  const begun = barrier();
  async function* dying() {
    yield text;
    begun.lift();
    await new Promise(() => {});
  }
  const read = tool({
    inputSchema: z.object({}),
    execute: async () => largeResult({ summary: 'Rows.', text: dying() }),
  });
  const common = { clock, tools: { read } as ToolSet, logger: quiet };
  const script = [[{ call: 'read', id: 'read' }], [{ text: 'Done.' }]] as const;
  const first = flowFixture(script, { ...common, store: line.store });
  const { flow } = flowFixture([[{ text: 'Unknown.' }]], { ...common, store: inner });
  await first.chat().ask({ message: userMessage('first', 'Go.') });
  await begun.wait;
  line.cut();
  await passTime(clock, 15_000, 500);
  await flow.recover();
  await expect.poll(async () => (await inner.chats.head(chatId))?.status).toBe('idle');
  const events = await flow.chats.timeline({ principal: ada, chatId });
  expect(events).toContainEqual(expect.objectContaining({ type: 'tool-failed', outcome: 'unknown' }));
  const started = events.find(({ type }) => type === 'tool-started')?.seq;
  const part = () => inner.results.read({ chatId, resultId: `read ${started}`, index: 0 });
  expect(await part()).toBeDefined();
  expect(await textOf({ flow })).toBeNull();
  await flow.chats.erase({ principal: ada, chatId });
  expect(await part()).toBeUndefined();
});

clause('0042.10', async () => {
  const late = await lostRun({ result: () => large() });
  await late.heal();
  const { flow } = late.second;
  const resolved = (await late.chat.events()).find((event) => event.type === 'outcome-resolved');
  expect(resolved).toMatchObject({ source: 'late', outcome: 'completed', summary: 'All rows.' });
  const parts = await flow.chats.resultText({ principal: ada, chatId, toolCallId: parseToolCallId('act-1') });
  expect(parts && (await collect(parts)).join('') === text).toBe(true);
});

clause('0042.8', async () => {
  const secret = await served(() => large(), { toolDetails: { read: { secrets: { output: ['rows'] } } } });
  expect(secret.end).toMatchObject({
    output: null,
    summary: 'read ran, but it has secret outputs, so its large result was not kept.',
  });
  const failing = sqliteStore({ path: ':memory:' });
  const failure = (transient: boolean) => new CountersignError('internal', 'No.', {}, { transient });
  const adding = vi.spyOn(failing.results, 'add').mockRejectedValueOnce(failure(true));
  const kept = await served(() => large(), { store: failing });
  expect([kept.end?.storedText?.parts, adding.mock.calls.length]).toEqual([3, 4]);
  adding.mockRejectedValueOnce(failure(false));
  const lost = await served(() => large(), { store: failing }, 'another');
  expect(lost.end).toMatchObject({
    output: null,
    summary: 'read ran, but the store failed, so its large result was not kept.',
  });
});

clause('0042.9', async () => {
  const copied = async (split: typeof textParts, length: number, size: number) => {
    const join = vi.spyOn(Array.prototype, 'join');
    let characters = 0;
    for await (const part of split(piecesOf('x'.repeat(length), size))) characters += part.length;
    for (const { value } of join.mock.results) characters += String(value).length;
    join.mockRestore();
    return characters;
  };
  for (const size of [1_000, 64_001, 1e9]) {
    const [once, fourTimes] = [await copied(textParts, 1e6, size), await copied(textParts, 4e6, size)];
    expect(fourTimes / once).toBeLessThan(4.2);
  }
  const [once, fourTimes] = [
    await copied(joinedForEachPart, 1e6, 1_000),
    await copied(joinedForEachPart, 4e6, 1_000),
  ];
  expect(fourTimes / once).toBeGreaterThan(8);
});
