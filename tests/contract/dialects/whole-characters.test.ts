import { once } from 'node:events';
import { tool, wrapLanguageModel } from 'ai';
import { createApprovalFlow } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { type ScriptedStep, scriptedModel } from 'countersign/testing';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { systemClock } from '../../../lib/protocol/clock/system-clock.ts';
import type { Clock } from '../../../lib/protocol/index.ts';
import { userHeader } from '../../support/serve-fixture.ts';
import { untilIdle } from '../../support/until-idle.ts';
import { serveAll } from '../support/serve-all.ts';

// Models cut their texts anywhere, and tools return anything. Every wire sends whole characters.

const sentence = 'Ein 😀, zwei 👩‍👩‍👧, drei 𝄞.';
const headers = { 'content-type': 'application/json', [userHeader]: 'ada' };

type Json = { readonly [key: string]: Json & string };

/** The frames of one turn as they were on the wire, and the text of one frame. */
type Wire = {
  readonly read: (url: string) => Promise<string[]>;
  readonly textOf: (frame: Json) => string | undefined;
};

async function post(url: string, body: object): Promise<string[]> {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return dataOf(response);
}

/** The data of each event. Refuses bytes that are not UTF-8. */
async function dataOf(response: Response): Promise<string[]> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(await response.arrayBuffer());
  return text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [line.slice(6)] : []));
}

/** Sends one frame, and reads to the frame that a test names. */
async function overSocket(url: string, path: string, frame: object, last: string): Promise<string[]> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers });
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  const texts: string[] = [];
  const ended = new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      texts.push(String(data));
      if (JSON.parse(String(data)).type === last) resolve();
    });
  });
  socket.send(JSON.stringify(frame));
  await ended;
  socket.close();
  return texts;
}

const message = () => ({ id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text: 'Go' }] });

const wires: Readonly<Record<string, Wire>> = {
  'UI chunks over SSE': {
    read: (url) =>
      post(`${url}/api/chat`, { id: crypto.randomUUID(), trigger: 'submit-message', message: message() }),
    textOf: ({ type, delta }) => (type === 'text-delta' ? delta : undefined),
  },
  'UI chunks over a WebSocket': {
    read: (url) => {
      const content = { id: crypto.randomUUID(), trigger: 'submit-message', headers: {} };
      const frame = { type: 'send', requestId: 'r', ...content, messages: [], body: { message: message() } };
      return overSocket(url, '/api/chat/socket', frame, 'end');
    },
    textOf: ({ chunk }) => (chunk?.type === 'text-delta' ? chunk.delta : undefined),
  },
  'tool events': {
    read: (url) => post(`${url}/api/dialects/tool-events`, { message: 'Go' }),
    textOf: ({ type, content }) => (type === 'text_delta' ? content : undefined),
  },
  'two-step stream': {
    async read(url) {
      const body = JSON.stringify({ message: 'Go' });
      const begun = await fetch(`${url}/api/chat/message`, { method: 'POST', headers, body });
      const { stream_id } = await begun.json();
      return dataOf(await fetch(`${url}/api/chat/stream/${stream_id}`, { headers }));
    },
    textOf: ({ text }) => text,
  },
  responses: {
    read: (url) => post(`${url}/v1/responses`, { model: 'any', input: 'Go', stream: true }),
    textOf: ({ type, delta }) => (type === 'response.output_text.delta' ? delta : undefined),
  },
  'chat socket': {
    read: (url) =>
      overSocket(url, '/api/dialects/chat-socket', { type: 'message', content: 'Go' }, 'complete'),
    textOf: ({ type, content }) => (type === 'token' ? content : undefined),
  },
};

/** What the model says in the next turn. */
let step: ScriptedStep = [];
let url = '';

/** Gathers no text: what is due within milliseconds is due now. */
const clock: Clock = {
  ...systemClock,
  after(ms, callback) {
    if (ms > 20) return systemClock.after(ms, callback);
    const due = setImmediate(callback);
    return () => clearImmediate(due);
  },
};

/** Lets each piece reach the log before the next one comes: the log joins pieces that come together. */
function pieceByPiece(model: ReturnType<typeof scriptedModel>) {
  return wrapLanguageModel({
    model,
    middleware: {
      async wrapStream({ doStream }) {
        const { stream, ...rest } = await doStream();
        const pieces = new TransformStream({
          async transform(part, controller) {
            controller.enqueue(part);
            await untilIdle();
          },
        });
        return { ...rest, stream: stream.pipeThrough(pieces) };
      },
    },
  });
}

async function serveCut(): Promise<void> {
  const store = sqliteStore({ path: ':memory:' });
  const odd = tool({
    inputSchema: z.object({ note: z.string() }),
    execute: async ({ note }) => ({ note, half: 'x\ud83d', list: new Map([['k\ude00', '\ud83d']]) }),
  });
  const broken = tool({
    inputSchema: z.object({}),
    execute: async (): Promise<string> => {
      throw new Error('No \ud83d today.');
    },
  });
  const flow = createApprovalFlow({
    store,
    clock,
    model: pieceByPiece(scriptedModel((_options, number) => (number % 2 === 0 ? step : [{ text: 'End.' }]))),
    tools: { odd, broken },
    toolDetails: {
      odd: {
        describe: ({ note }) => `Note ${note.slice(0, 5)}`,
        summarize: () => ({ summary: 'Cut \ud83d' }),
      },
    },
  });
  onTestFinished(async () => {
    await flow.close();
    await store.close();
  });
  url = await serveAll(flow);
}

/** Cuts a text at any code units. */
function cutAt(text: string, places: readonly number[]): string[] {
  const sorted = [...new Set(places.map((place) => place % text.length))].sort((a, b) => a - b);
  return [0, ...sorted].map((from, index) => text.slice(from, sorted[index] ?? text.length));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)]);
}

it.each(Object.entries(wires))(
  '%s sends no half of a surrogate pair [D9]',
  async (_name, { read, textOf }) => {
    await serveCut();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(1_000), { minLength: 8, maxLength: 20 }), async (places) => {
        const args = JSON.stringify({ note: sentence });
        const id = crypto.randomUUID();
        step = [
          { reasoning: cutAt(sentence, places) },
          { text: cutAt(sentence, places) },
          { writes: 'odd', id, input: cutAt(args, places) },
          { call: 'odd', rawInput: args, id },
          { call: 'broken' },
        ];
        const frames: Json[] = (await read(url)).map((text) => JSON.parse(text));
        expect(frames.flatMap(textsIn).filter((text) => !text.isWellFormed())).toEqual([]);
        const text = frames.flatMap((frame) => textOf(frame) ?? []).join('');
        expect(text).toContain(sentence);
      }),
      { numRuns: 5 },
    );
  },
);
