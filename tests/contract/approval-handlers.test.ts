import { fakeClock } from 'countersign/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ApprovalFlow } from '../../lib/flow/approval-flow.ts';
import { CountersignError, parseApprovalId, parseChatId } from '../../lib/protocol/index.ts';
import type { Served } from '../../lib/testing/server/serve.ts';
import { serveFlow } from '../../lib/testing/server/serve-flow.ts';
import { ada, asAda, type FakeMethods, fakeFlow, question } from './support/fake-flow.ts';

const json = { 'content-type': 'application/json' };
let served: Served | undefined;
afterEach(async () => {
  await served?.close();
  served = undefined;
});

type Settings = Partial<Parameters<typeof serveFlow>[1]>;

async function call(
  path: string,
  methods: FakeMethods,
  init: RequestInit = {},
  settings: Settings = {},
): Promise<{ status: number; headers: Headers; body: unknown }> {
  served = await serveFlow(fakeFlow(methods), { authorize: asAda, ...settings });
  const response = await fetch(served.url + path, { headers: json, ...init });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text && response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text,
  };
}

const at = Date.UTC(2026, 0, 2, 3, 4, 6);
const by = { id: ada.id, name: ada.name };
const wire = {
  id: 'apr_1',
  chatId: 'chat1',
  toolCallId: 'call_1',
  toolName: 'process_payment',
  title: 'Process payment',
  input: { recipient: 'Alice', amount: 30 },
  description: 'Pay Alice 30.',
  askedBy: by,
  requestedAt: '2026-01-02T03:04:05.000Z',
  state: 'open',
  mayAnswer: true,
  mayEdit: true,
  mayRemember: true,
};
const answer = { approved: true, reason: 'Fine.', by, at, via: 'http' };

describe('the approvals API [H9, H10]', () => {
  it('previews edited arguments, and refuses more than 120 previews in a minute [H10]', async () => {
    const effect = { state: 'made', digest: 'd', summary: '1 user', at } as const;
    const preview = vi.fn<ApprovalFlow['approvals']['preview']>(async () => ({
      description: 'Pay Bob 5.',
      preview: effect,
    }));
    const body = JSON.stringify({ input: { recipient: 'Bob' } });
    const request = { method: 'POST', body };
    const first = await call('/api/approvals/apr_1/preview', { approvals: { preview } }, request, {
      clock: fakeClock(),
    });
    expect([first.status, first.body]).toEqual([
      200,
      { description: 'Pay Bob 5.', preview: { ...effect, at: '2026-01-02T03:04:06.000Z' } },
    ]);
    expect(preview).toHaveBeenCalledWith({
      principal: ada,
      approvalId: 'apr_1',
      input: { recipient: 'Bob' },
    });
    const again = () =>
      fetch(`${served?.url}/api/approvals/apr_1/preview`, { method: 'POST', headers: json, body: '{}' });
    let refused = await again();
    for (let count = 0; count < 120 && refused.ok; count += 1) refused = await again();
    expect(refused.status).toBe(429);
    expect(preview).toHaveBeenLastCalledWith({ principal: ada, approvalId: 'apr_1' });
  });

  it('lists open questions page by page, without fields that are not part of the wire format [H9, S1, S4, S7]', async () => {
    const approvals = vi.fn<ApprovalFlow['approvals']['list']>(async () => ({
      items: [question()],
      next: 'c2',
    }));
    const { status, body } = await call('/api/approvals?cursor=c1&limit=5', {
      approvals: { list: approvals },
    });
    expect(status).toBe(200);
    expect(body).toEqual({ approvals: [wire], nextCursor: 'c2' });
    expect(approvals).toHaveBeenCalledWith({ principal: ada, state: 'open', cursor: 'c1', limit: 5 });
  });

  it('filters questions by tool, chat, person and time [H9]', async () => {
    const approvals = vi.fn<ApprovalFlow['approvals']['list']>(async () => ({ items: [] }));
    const query = new URLSearchParams({
      toolName: 'process_payment',
      chatId: 'chat1',
      askedBy: ada.id,
      requestedSince: '2026-01-02T03:04:05Z',
      requestedBefore: '2026-01-02T03:04:05.250Z',
    });
    expect((await call(`/api/approvals?${query}`, { approvals: { list: approvals } })).status).toBe(200);
    expect(approvals).toHaveBeenCalledWith({
      principal: ada,
      state: 'open',
      toolName: 'process_payment',
      chatId: 'chat1',
      askedBy: ada.id,
      requestedSince: Date.UTC(2026, 0, 2, 3, 4, 5),
      requestedBefore: Date.UTC(2026, 0, 2, 3, 4, 5, 250),
    });
  });

  it('lists settled questions, with how many were searched [H9]', async () => {
    const approvals = vi.fn<ApprovalFlow['approvals']['list']>(async () => ({
      items: [question({ state: 'denied', answer })],
      searched: 7,
    }));
    const { body } = await call('/api/approvals?state=settled&text=%20alice&risk=high', {
      approvals: { list: approvals },
    });
    expect(body).toMatchObject({ approvals: [{ id: 'apr_1', state: 'denied' }], searched: 7 });
    expect(approvals).toHaveBeenCalledWith({ principal: ada, state: 'settled', text: 'alice', risk: 'high' });
  });

  it.each([
    'text=',
    'text=%20',
    `text=${'a'.repeat(201)}`,
    'risk=none',
    'toolName=',
    'askedBy=',
    'chatId=',
    'chatId=__proto__',
    'requestedSince=yesterday',
    'requestedSince=2026-01-02',
    'requestedBefore=2026-01-02T03:04:05',
    'requestedBefore=1767323045000',
    'requestedBefore=',
  ])('refuses the filter %s, instead of showing everything [H9]', async (query) => {
    const { status, body } = await call(`/api/approvals?${query}`, {});
    expect([status, body]).toMatchObject([400, { error: { code: 'invalid-request' } }]);
  });

  it('includes the schema of the arguments in a question whose arguments may be edited [H9]', async () => {
    const inputSchema = { type: 'object', properties: { amount: { type: 'number' } } };
    const approval = async () => ({ ...question(), inputSchema });
    const { body } = await call('/api/approvals/apr_1', { approvals: { read: approval } });
    expect(body).toEqual({ approval: wire, history: [expect.anything()], inputSchema });
  });

  it('returns one question with its history [H9, S8]', async () => {
    const deadline = at + 60_000;
    const settled = question({
      state: 'approved',
      answer,
      deadline,
      risk: 'high',
      position: { index: 1, of: 2 },
    });
    const { body } = await call('/api/approvals/apr_1', { approvals: { read: async () => settled } });
    expect(body).toEqual({
      approval: {
        ...wire,
        state: 'approved',
        risk: 'high',
        position: { index: 1, of: 2 },
        deadline: '2026-01-02T03:05:06.000Z',
        answer: { ...answer, at: '2026-01-02T03:04:06.000Z' },
      },
      history: [
        { state: 'open', at: '2026-01-02T03:04:05.000Z', by },
        { state: 'approved', at: '2026-01-02T03:04:06.000Z', by, via: 'http' },
      ],
    });
  });

  it('answers a question and passes on only the fields of an answer [H10]', async () => {
    const settle = vi.fn<ApprovalFlow['approvals']['answer']>(async () =>
      question({ state: 'approved', answer }),
    );
    const body = JSON.stringify({
      approved: true,
      reason: 'Fine.',
      input: { amount: 20 },
      principal: 'root',
      via: 'x',
    });
    const response = await call(
      '/api/approvals/apr_1',
      { approvals: { answer: settle } },
      { method: 'POST', body },
    );
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ approval: { id: 'apr_1', state: 'approved' } });
    expect(settle).toHaveBeenCalledWith({
      principal: ada,
      approvalId: 'apr_1',
      approved: true,
      reason: 'Fine.',
      input: { amount: 20 },
      via: 'http',
    });
  });

  it('answers a second answer with 409 already-answered and the standing answer [H10]', async () => {
    const response = await call(
      '/api/approvals/apr_1',
      {
        approvals: {
          answer: async () => {
            const facts = { approvalId: 'apr_1', answer };
            throw new CountersignError('already-answered', 'Question apr_1 was answered before.', facts);
          },
        },
      },
      { method: 'POST', body: '{"approved":false}' },
    );
    expect(response.status).toBe(409);
    expect(response.body).toEqual({
      error: {
        code: 'already-answered',
        message: 'Question apr_1 was answered before.',
        approvalId: 'apr_1',
        answer: { ...answer, at: '2026-01-02T03:04:06.000Z' },
      },
    });
  });

  it.each([
    ['no decision', '{}'],
    ['a decision that is not a boolean', '{"approved":"true"}'],
    ['a reason that is too long', JSON.stringify({ approved: false, reason: 'x'.repeat(2_001) })],
    ['an input that reaches for a prototype', '{"approved":true,"input":{"__proto__":{}}}'],
    ['half a body', '{"approved":'],
  ])('refuses %s and answers nothing [H10]', async (_what, body) => {
    const settle = vi.fn<ApprovalFlow['approvals']['answer']>();
    const response = await call(
      '/api/approvals/apr_1',
      { approvals: { answer: settle } },
      { method: 'POST', body },
    );
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ error: { code: 'invalid-request' } });
    expect(settle).not.toHaveBeenCalled();
  });

  it.each(['?state=any', '?limit=0', '?limit=101', '?limit=x', `?cursor=${'c'.repeat(513)}`])(
    'refuses the query %s [H9]',
    async (query) => {
      expect((await call(`/api/approvals${query}`, {})).status).toBe(400);
    },
  );
});

describe('the chats API [H4, H5]', () => {
  const id = parseChatId('chat1');
  const head = {
    id,
    ownerId: ada.id,
    title: 'Pay',
    createdAt: at,
    updatedAt: at,
    seq: 3,
    turnSeq: 1,
    status: 'waiting' as const,
    runId: null,
    open: null,
    auditHead: null,
  };

  it('lists the caller’s chats [H4, S9]', async () => {
    const chats = async () => ({ items: [{ ...head, openCount: 1 }] });
    const { body } = await call('/api/chat', { chats: { list: chats } });
    expect(body).toEqual({ chats: [{ id, title: 'Pay', updatedAt: '2026-01-02T03:04:06.000Z', open: 1 }] });
  });

  it('returns a chat as the flow shows it [H4, S9]', async () => {
    const view = {
      id,
      title: 'Pay',
      messages: [],
      run: { status: 'waiting' as const },
      open: parseApprovalId('apr_1'),
      questions: [question()],
    };
    const chat = vi.fn<ApprovalFlow['chats']['read']>(async () => view);
    expect((await call('/api/chat/chat1', { chats: { read: chat } })).body).toEqual({
      ...view,
      questions: [wire],
    });
    expect(chat).toHaveBeenCalledWith({ principal: ada, chatId: 'chat1' });
  });

  it('renames a chat [H4]', async () => {
    const rename = vi.fn<ApprovalFlow['chats']['rename']>(async () => {});
    const body = '{"title":" Payments "}';
    expect((await call('/api/chat/chat1', { chats: { rename } }, { method: 'PATCH', body })).body).toEqual({
      id: 'chat1',
      title: 'Payments',
    });
    expect(rename).toHaveBeenCalledWith({ principal: ada, chatId: 'chat1', title: 'Payments' });
  });

  it.each(['{}', '{"title":""}', '{"title":7}', JSON.stringify({ title: 'x'.repeat(201) })])(
    'refuses to rename with %s [H4]',
    async (body) => {
      expect((await call('/api/chat/chat1', {}, { method: 'PATCH', body })).status).toBe(400);
    },
  );

  it.each<[string, 'erase' | 'stop', string]>([
    ['erases a chat', 'erase', '/api/chat/chat1'],
    ['stops a run', 'stop', '/api/chat/chat1/run'],
  ])('%s with 204 [H4, H5]', async (_title, method, path) => {
    const done = vi.fn(async () => {});
    expect((await call(path, { chats: { [method]: done } }, { method: 'DELETE' })).status).toBe(204);
    expect(done).toHaveBeenCalledWith({ principal: ada, chatId: 'chat1' });
  });
});

describe('HTTP errors', () => {
  const thrown = (error: unknown): FakeMethods => ({ chats: { read: () => Promise.reject(error) } });

  it.each([
    ['invalid-request', 400],
    ['unauthenticated', 401],
    ['forbidden', 403],
    ['not-found', 404],
    ['run-active', 409],
    ['input-mismatch', 409],
    ['superseded', 409],
    ['expired', 409],
    ['payload-too-large', 413],
    ['rate-limited', 429],
  ] as const)('%s is %d, as JSON with the ids', async (code, status) => {
    const error = new CountersignError(code, 'What happened.', { chatId: 'chat1' }, { cause: 'secret' });
    const response = await call('/api/chat/chat1', thrown(error));
    expect(response.status).toBe(status);
    expect(response.body).toEqual({ error: { code, message: 'What happened.', chatId: 'chat1' } });
  });

  it.each([
    [30_000, '30'],
    [1_001, '2'],
    [0, '1'],
    [undefined, '1'],
  ])('a refusal for %s ms has retry-after: %s, in whole seconds', async (retryAfterMs, seconds) => {
    const fields = retryAfterMs === undefined ? {} : { retryAfterMs };
    const error = new CountersignError('rate-limited', 'Too many.', fields);
    const { headers } = await call('/api/chat/chat1', thrown(error));
    expect(headers.get('retry-after')).toBe(seconds);
  });

  it.each([
    ['a broken promise', new Error('password=hunter2')],
    ['an internal error', new CountersignError('internal', 'password=hunter2')],
    ['a thrown value that is not an Error', 'password=hunter2'],
  ])('answers %s with 500 and no details, and logs it', async (_what, error) => {
    const logger = { warn: vi.fn(), error: vi.fn() };
    const response = await call('/api/chat/chat1', thrown(error), {}, { logger });
    expect(response.status).toBe(500);
    expect(JSON.stringify(response.body)).not.toContain('hunter2');
    expect(response.body).toMatchObject({ error: { code: 'internal' } });
    expect(logger.error).toHaveBeenCalledOnce();
  });

  it('recognizes a refusal by its brand, because a bundler may duplicate the error class', async () => {
    const foreign = Object.assign(new Error('Gone.'), {
      [Symbol.for('countersign.error')]: true,
      code: 'expired',
      fields: {},
    });
    expect((await call('/api/chat/chat1', thrown(foreign))).status).toBe(409);
  });

  it('forbids caching and content sniffing for every response', async () => {
    const { headers } = await call('/api/chat/chat1', {});
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each<[string, string, RequestInit, Settings, number]>([
    ['no one', '/api/chat', {}, { authorize: () => null }, 401],
    ['the origin of another site', '/api/chat', { headers: { origin: 'https://evil.example' } }, {}, 403],
    ['an unsafe request that is not JSON', '/api/chat/chat1/run', { method: 'DELETE', headers: {} }, {}, 400],
    ['a reserved chat id', '/api/chat/constructor', {}, {}, 400],
    ['a chat id with other characters', '/api/chat/a%20b', {}, {}, 400],
    ['a path that is not encoded well', '/api/chat/%E0%A4%A', {}, {}, 400],
    ['an approval id that is too long', `/api/approvals/${'x'.repeat(257)}`, {}, {}, 400],
  ])('refuses %s', async (_what, path, init, settings, status) => {
    expect((await call(path, {}, init, settings)).status).toBe(status);
  });

  it('counts requests against the rate limit', async () => {
    const rateLimit = {
      take: () => {
        throw new CountersignError('rate-limited', 'Too many.');
      },
    };
    expect((await call('/api/chat', {}, {}, { rateLimit })).status).toBe(429);
  });
});

describe('the feed of questions [H11]', () => {
  const opened = { place: 'seven', question: question() };
  const settled = {
    place: 'eight',
    question: question({ state: 'denied', answer: { ...answer, approved: false } }),
  };

  /** Reads whole frames until there are as many as asked for, comments left out. */
  async function read(response: Response, count: number): Promise<string[]> {
    const decoder = new TextDecoder();
    let text = '';
    const frames = () =>
      text
        .split('\n\n')
        .slice(0, -1)
        .filter((frame) => !frame.startsWith(':'));
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true });
      if (frames().length >= count) break;
    }
    return frames();
  }

  it('sends opened and settled questions, each with its position in the feed', async () => {
    const cancelled = Promise.withResolvers<void>();
    const changes = new ReadableStream({
      start(controller) {
        controller.enqueue(opened);
        controller.enqueue(settled);
      },
      cancel: () => cancelled.resolve(),
    });
    const approvalFeed = vi.fn<ApprovalFlow['approvals']['feed']>(async () => ({
      after: 'six',
      changes,
      reader: 'ada',
    }));
    served = await serveFlow(fakeFlow({ approvals: { feed: approvalFeed } }), { authorize: asAda });
    const response = await fetch(`${served.url}/api/approvals/events`, {
      headers: { 'last-event-id': 'six' },
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(response.headers.get('countersign-reader')).toBe('ada');
    const [first, ...frames] = await read(response, 3);
    expect(first).toBe('id: six');
    expect(frames[0]).toBe(`id: seven\nevent: opened\ndata: ${JSON.stringify(wire)}`);
    expect(frames[1]).toMatch(/^id: eight\nevent: settled\ndata: \{/);
    expect(approvalFeed).toHaveBeenCalledWith({ principal: ada, after: 'six' });
    // The client has left the loop, and its connection: the flow must not be read any more.
    await cancelled.promise;
  });

  it('starts now and sends its position without Last-Event-ID, and ends without an error when it breaks [H11]', async () => {
    const logger = { warn: vi.fn(), error: vi.fn() };
    const changes = new ReadableStream({
      start: (controller) => controller.error(new Error('database gone')),
    });
    const approvalFeed = vi.fn<ApprovalFlow['approvals']['feed']>(async () => ({
      after: 'four',
      changes,
      reader: 'ada',
    }));
    const { body } = await call(
      '/api/approvals/events',
      { approvals: { feed: approvalFeed } },
      {},
      { logger },
    );
    expect(body).toBe('id: four\n\n');
    expect(approvalFeed).toHaveBeenCalledWith({ principal: ada });
    expect(logger.error).toHaveBeenCalledOnce();
  });

  it('sends a repeated question without a position', async () => {
    const changes = new ReadableStream({
      start(controller) {
        controller.enqueue({ question: question() });
        controller.close();
      },
    });
    const approvalFeed: ApprovalFlow['approvals']['feed'] = async () => ({
      after: 'four',
      changes,
      reader: 'ada',
    });
    const { body } = await call('/api/approvals/events', { approvals: { feed: approvalFeed } });
    expect(body).toBe(`id: four\n\nevent: opened\ndata: ${JSON.stringify(wire)}\n\n`);
  });

  it('passes on that there is no position yet', async () => {
    const approvalFeed: ApprovalFlow['approvals']['feed'] = async () => {
      throw new CountersignError('invalid-request', 'The cursor is not one of ours.');
    };
    const headers = { 'last-event-id': '1e3' };
    expect(
      (await call('/api/approvals/events', { approvals: { feed: approvalFeed } }, { headers })).status,
    ).toBe(400);
  });
});
