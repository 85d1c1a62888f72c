import { type ToolSet, tool } from 'ai';
import type { FlowSettings } from 'countersign';
import { sqliteStore } from 'countersign/store';
import { interceptedStore } from 'countersign/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ToolEvent } from '../../../lib/plugins/tool-events/client/schema.ts';
import { gate } from './support/gate.ts';
import { musicTools, ServiceError } from './support/music-catalogue.ts';
import { serveDialects } from './support/serve-dialects.ts';
import { openToolEvents, postToolEvents, toolEvents, untilFrame } from './support/tool-events-client.ts';

const reset = () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
const timedOut = () => Object.assign(new Error('timed out'), { name: 'TimeoutError' });
const refused = () => Object.assign(new Error('connect refused'), { code: 'ECONNREFUSED' });

type Outcome = { runs: number; frames: ToolEvent[] };

async function searchWith(faults: Error[], settings: Partial<FlowSettings> = {}): Promise<Outcome> {
  const { tools, ran } = musicTools(faults);
  const script = [[{ call: 'tidalSearch', id: 'tidal', input: { query: 'blue' } }], [{ text: 'So it is.' }]];
  const toolDetails = { tidalSearch: { idempotent: true } };
  const { url } = await serveDialects(script, { tools, toolDetails, ...settings });
  const frames = await toolEvents(url, 'Find blue');
  return { runs: ran.length, frames: frames.filter(({ type }) => type.startsWith('tool_call')) };
}

const start = {
  type: 'tool_call_start',
  toolCallId: 'tidal',
  toolName: 'tidalSearch',
  input: { query: 'blue' },
};

describe('tool events: retries', () => {
  it.each([
    ['429', new ServiceError('Slow down.', 429)],
    ['503', new ServiceError('Busy.', 503)],
    ['504', new ServiceError('Late.', 504)],
    ['a time-out', timedOut()],
    ['a refused connection', refused()],
    ['a reset connection', reset()],
  ])('retries once after %s, and sends a plain end if the retry succeeds [A9, A10]', async (_what, fault) => {
    const { runs, frames } = await searchWith([fault]);
    expect(runs).toBe(2);
    expect(frames).toMatchObject([start, { type: 'tool_call_end', toolCallId: 'tidal', resultCount: 2 }]);
  });

  it('sends one error if both attempts fail, and no second start [A9, A10, A12]', async () => {
    const { runs, frames } = await searchWith([
      new ServiceError('Busy.', 503),
      new ServiceError('Still busy.', 503),
    ]);
    expect(runs).toBe(2);
    expect(frames).toMatchObject([
      start,
      { type: 'tool_call_error', toolCallId: 'tidal', error: 'Still busy.', wasRetried: true },
    ]);
  });

  it.each<[string, Error[], Partial<FlowSettings>]>([
    ['another 4xx', [new ServiceError('Not allowed.', 403)], {}],
    ['a tool that is not marked idempotent', [new ServiceError('Busy.', 503)], { toolDetails: {} }],
  ])('never retries %s [A9, A10]', async (_what, faults, settings) => {
    const { runs, frames } = await searchWith(faults, settings);
    expect(runs).toBe(1);
    expect(frames).toMatchObject([start, { type: 'tool_call_error', wasRetried: false }]);
  });

  it.each([
    ['false when the error says nothing', new ServiceError('No.', 400), false],
    ['true when the error says so', new ServiceError('Try later.', 400, true), true],
  ])('`retryable` is %s [A11]', async (_what, fault, retryable) => {
    const { frames } = await searchWith([fault]);
    expect(frames.at(-1)).toMatchObject({ type: 'tool_call_error', retryable });
  });

  it.each<[string, Error, RegExp]>([
    ['a time-out', timedOut(), /^outcome-unknown:/],
    ['a reset', reset(), /^outcome-unknown:/],
    ['another failure', new ServiceError('Busy.', 503), /^Busy\.$/],
  ])('runs a gated call once, and reports %s unchanged [A10]', async (_what, fault, error) => {
    let runs = 0;
    const pay = tool({
      inputSchema: z.object({}),
      needsApproval: true,
      execute: async (): Promise<string> => {
        runs += 1;
        throw fault;
      },
    });
    const { url } = await serveDialects([[{ call: 'pay', id: 'pay' }], [{ text: 'Hm.' }]], {
      tools: { pay },
    });
    const frames = await openToolEvents(url, 'Pay', { acceptApprovals: true });
    const { approvalId } = await untilFrame(frames, 'approval_request');
    await fetch(`${url}/api/approvals/${approvalId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"approved":true}',
    });
    expect(await untilFrame(frames, 'tool_call_error')).toMatchObject({
      error: expect.stringMatching(error),
      wasRetried: false,
    });
    expect(runs).toBe(1);
    await frames.return();
  });
});

describe('tool events: what the error of a call says', () => {
  const failure = async (tools: ToolSet, input: object, settings: Partial<FlowSettings> = {}) => {
    const script = [[{ call: 'find', id: 'find', input }], [{ text: 'So it is.' }]];
    const { url } = await serveDialects(script, { tools, ...settings });
    const frames = await toolEvents(url, 'Find');
    return frames.find((frame) => frame.type === 'tool_call_error')?.error;
  };
  const finding = (execute: () => Promise<string> = async () => 'found') => ({
    find: tool({
      inputSchema: z.object({
        query: z.string().min(1, 'Query cannot be empty'),
        limit: z.number().max(50).optional(),
      }),
      execute,
    }),
  });

  it.each<[string, object, string]>([
    ['the message of the schema', { query: '' }, 'Query cannot be empty'],
    [
      'all messages, with the place where they do not name it',
      { query: '', limit: 100 },
      'Query cannot be empty; Too big: expected number to be <=50 (at limit)',
    ],
    ['nothing of types', { query: 7 }, 'The arguments do not fit the schema of find.'],
  ])('arguments that do not fit: %s [A8]', async (_what, input, text) => {
    expect(await failure(finding(), input)).toBe(text);
  });

  it('arguments that do not fit say no more than this for a tool with secrets [A8]', async () => {
    const toolDetails = { find: { secrets: { input: ['query'] } } };
    expect(await failure(finding(), { query: '' }, { toolDetails })).toBe(
      'The arguments do not fit the schema of find.',
    );
  });

  const because = (code: string) =>
    new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) });
  it.each<[string, unknown, string]>([
    [
      'a stack',
      new Error('It broke.\n    at find (/srv/app/find.js:3:7)\n    at run (node:vm:1:2)'),
      'It broke.',
    ],
    ['a stack that was thrown', 'It broke.\n    at find (/srv/app/find.js:3:7)', 'It broke.'],
    [
      'the path of a file',
      new Error("ENOENT: no such file, open '/srv/data/x.json'"),
      "ENOENT: no such file, open '[path]'",
    ],
    ['the URL of a file', new Error('Cannot load file:///srv/app/x.mjs'), 'Cannot load [path]'],
    ['a path of Windows', new Error('Cannot open C:\\data\\x.json'), 'Cannot open [path]'],
    ['no text', new Error(''), 'The tool failed.'],
    ['fetch, refused', because('ECONNREFUSED'), 'The service refused the connection.'],
    ['fetch, unknown host', because('ENOTFOUND'), 'The address of the service was not found.'],
    ['fetch, without a cause', new TypeError('fetch failed'), 'The service could not be reached.'],
    [
      'an address, which stays',
      new Error('GET /v1/tracks of https://music.test/v1/tracks: 404'),
      'GET /v1/tracks of https://music.test/v1/tracks: 404',
    ],
  ])('has no internals of %s [A8]', async (_what, error, text) => {
    const execute = async () => {
      throw error;
    };
    expect(await failure(finding(execute), { query: 'blue' })).toBe(text);
  });

  it('is what describeError of the tool says, or the message if that says nothing [A8]', async () => {
    const execute = async () => {
      throw new ServiceError('E_QUOTA', 400);
    };
    const describeError = (error: unknown, { query }: { query: string }) =>
      error instanceof ServiceError ? `No more searches for ${query} today.` : '';
    const toolDetails = { find: { describeError } };
    expect(await failure(finding(execute), { query: 'blue' }, { toolDetails })).toBe(
      'No more searches for blue today.',
    );
    const silent = { find: { describeError: () => '' } };
    expect(await failure(finding(execute), { query: 'blue' }, { toolDetails: silent })).toBe('E_QUOTA');
  });
});

describe('tool events: refused requests and broken streams', () => {
  it.each<[string, number, unknown, object]>([
    ['an empty message', 400, '  ', {}],
    ['a message of more than 10,000 characters', 400, 'x'.repeat(10_001), {}],
    ['no text', 400, 7, {}],
    ['a conversation that does not exist', 404, 'Hi', { conversationId: 'nowhere' }],
    ['a name that cannot be a conversation', 400, 'Hi', { conversationId: '__proto__' }],
  ])(
    'refuses %s with %i and a JSON error, before any stream [A26]',
    async (_what, status, message, request) => {
      const { url, model } = await serveDialects([]);
      const response = await postToolEvents(url, message, request);
      expect(response.status).toBe(status);
      expect(await response.json()).toEqual({ error: expect.objectContaining({ code: expect.any(String) }) });
      expect(model.calls).toHaveLength(0);
    },
  );

  it('refuses another user’s conversation as if it did not exist [A26]', async () => {
    const { url } = await serveDialects([[{ text: 'Hello.' }]]);
    const [start] = await toolEvents(url, 'Hi');
    const conversationId = start?.type === 'message_start' ? start.conversationId : '';
    expect((await postToolEvents(url, 'Hi', { conversationId, user: 'mallory' })).status).toBe(404);
  });

  it('accepts a message of exactly 10,000 characters [A26]', async () => {
    const { url } = await serveDialects([[{ text: 'Long.' }]]);
    expect((await toolEvents(url, 'x'.repeat(10_000))).at(-1)?.type).toBe('message_end');
  });

  it('continues after the client disconnects, and denies gated calls of a client without approvals [A26]', async () => {
    const left = gate();
    const { url, flow, ran, model } = await serveDialects([
      [{ call: 'weather', input: { city: 'Oslo' } }],
      [{ wait: left.passed }, { call: 'pay', input: { to: 'Bob', amount: 3 } }],
      [{ text: 'Not paid.' }],
    ]);
    const leaving = new AbortController();
    const frames = await openToolEvents(url, 'Go', { signal: leaving.signal });
    const { conversationId } = await untilFrame(frames, 'message_start');
    leaving.abort();
    await frames.return().catch(() => {});
    left.open();
    const chat = { chatId: conversationId as never, principal: { id: 'ada', name: 'Ada' } };
    await expect.poll(async () => (await flow.chats.read(chat)).run.status).toBe('idle');
    expect(ran.map(({ tool: name }) => name)).toEqual(['weather']);
    expect(model.calls).toHaveLength(3);
  });

  it('reports a log that can no longer be read as an internal error, without details [A16]', async () => {
    let reads = 0;
    const inner = sqliteStore({ path: ':memory:' });
    const store = {
      ...interceptedStore(inner, () => {}),
      events: {
        read: async (...query: Parameters<typeof inner.events.read>) => {
          if (query[0] && reads++ > 0) throw new Error('disk password 1234');
          return inner.events.read(...query);
        },
      },
      // It does not say how far a log has grown, so that readers must look.
      subscribe: (listener: Parameters<typeof inner.subscribe>[0]) =>
        inner.subscribe(({ chatId, reason }) => listener({ chatId, reason })),
    };
    const wait = new Promise<void>(() => {});
    const { url } = await serveDialects([[{ text: 'One' }, { wait }]], { store });
    const frames = await openToolEvents(url, 'Hi');
    expect(await untilFrame(frames, 'error')).toEqual({
      type: 'error',
      code: 'INTERNAL_ERROR',
      message: expect.not.stringContaining('1234'),
      retryable: true,
    });
  });

  it('reports that its conversation was erased during the stream [A16]', async () => {
    const { url, flow } = await serveDialects([[{ text: 'One' }, { wait: new Promise<void>(() => {}) }]]);
    const frames = await openToolEvents(url, 'Hi');
    const { conversationId } = await untilFrame(frames, 'message_start');
    await untilFrame(frames, 'text_delta');
    await flow.chats.erase({ chatId: conversationId as never, principal: { id: 'ada', name: 'Ada' } });
    const rest: ToolEvent[] = [];
    for await (const frame of frames) rest.push(frame);
    expect(['error', 'message_end']).toContain(rest.at(-1)?.type);
  });
});
