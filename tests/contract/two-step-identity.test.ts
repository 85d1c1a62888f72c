import { describe, expect, it } from 'vitest';
import { serveAppRoutes } from '../support/serve-app-routes.ts';

// The endpoints that a client of the two-step stream uses, at the routes of the reference app, over real HTTP.

const byKey = { authorization: 'Bearer the-key-of-bens-program' };
const byOtherKey = { authorization: 'Bearer the-key-of-adas-program' };
const byWrongKey = { authorization: 'Bearer not-one-of-the-keys' };
const locally = {};
const keys = 'ben:the-key-of-bens-program, ada:the-key-of-adas-program';

type Headers = Readonly<Record<string, string>>;

async function served() {
  const { send } = await serveAppRoutes({ COUNTERSIGN_API_KEYS: keys });
  return async (method: string, path: string, headers: Headers, body?: object) => {
    const { status, text } = await send(method, path, headers, body);
    return { status, text, json: () => JSON.parse(text) };
  };
}

type Send = Awaited<ReturnType<typeof served>>;

/** A turn that asks for a payment. */
async function ask(send: Send, headers: Headers) {
  const { chat_id: chat, stream_id: stream } = (
    await send('POST', '/api/chat/message', headers, { message: 'Pay Alice 30' })
  ).json();
  const { text } = await send('GET', `/api/chat/stream/${stream}`, headers);
  const [, question = ''] = /"approval_id":"([\w-]+)"/.exec(text) ?? [];
  const [, call = ''] = /"tool_call_id":"([\w-]+)"/.exec(text) ?? [];
  return { chat, stream, question, call };
}

type Asked = Awaited<ReturnType<typeof ask>>;

/** Each request of such a client, in an order in which all succeed. */
const requests: readonly [string, string, (asked: Asked) => string, object?][] = [
  ['start', 'POST', () => '/api/chat/message', { message: 'Hello' }],
  ['read', 'GET', ({ stream }) => `/api/chat/stream/${stream}`],
  ['read the question', 'GET', ({ question }) => `/api/approvals/${question}`],
  ['answer', 'POST', ({ question }) => `/api/approvals/${question}`, { approved: true }],
  ['stop', 'DELETE', ({ chat }) => `/api/chat/${chat}/run`],
  ['read the chat', 'GET', ({ chat }) => `/api/chat/${chat}`],
  ['fetch a result', 'GET', ({ chat, call }) => `/api/chat/${chat}/tool-results/${call}`],
];

describe('two-step stream: one identity at every endpoint', () => {
  it.each([
    ['a key', byKey],
    ['no key, on this machine', locally],
  ])('%s can start, read, answer, stop and fetch results [B2, B18]', async (_who, headers) => {
    const send = await served();
    const asked = await ask(send, headers);
    for (const [what, method, path, body] of requests) {
      const { status, text } = await send(method, path(asked), headers, body);
      expect([what, status < 300, status < 300 ? '' : text]).toEqual([what, true, '']);
      // The result is there when the stream of the answer has ended.
      if (what !== 'answer') continue;
      const { stream_id, approval } = JSON.parse(text);
      expect(approval.answer.by.id).toBe(headers === byKey ? 'user:ben' : 'local');
      const rest = await send('GET', `/api/chat/stream/${stream_id}`, headers);
      expect(rest.text).toContain('event: done\ndata: {"reason":"complete"}');
    }
    const result = await send('GET', `/api/chat/${asked.chat}/tool-results/${asked.call}`, headers);
    expect(result.json()).toMatchObject({ toolCallId: asked.call, output: { recipient: 'Alice' } });
    expect((await send('GET', '/api/demo/payments', headers)).json().payments).toHaveLength(1);
  });

  it.each([
    ['a wrong key', byWrongKey, 401],
    ['the key of another user', byOtherKey, 404],
    ['this machine, without a key', locally, 404],
  ])('%s can do nothing in the chat of a key [B2]', async (_who, headers, refusal) => {
    const send = await served();
    const asked = await ask(send, byKey);
    for (const [what, method, path, body] of requests) {
      // Everybody who is known may start a chat.
      const expected = what === 'start' && refusal === 404 ? 200 : refusal;
      expect([what, (await send(method, path(asked), headers, body)).status]).toEqual([what, expected]);
    }
    expect((await send('GET', `/api/approvals/${asked.question}`, byKey)).json().approval.state).toBe('open');
    expect((await send('GET', '/api/demo/payments', byKey)).json().payments).toEqual([]);
  });

  it('a key stops a turn that waits, and its question is withdrawn [B18]', async () => {
    const send = await served();
    const { chat, stream } = await ask(send, byKey);
    expect((await send('DELETE', `/api/chat/${chat}/run`, byKey)).status).toBeLessThan(300);
    const { text } = await send('GET', `/api/chat/stream/${stream}`, byKey);
    expect(text).toContain('event: done\ndata: {"reason":"approval_required"}');
    expect((await send('GET', `/api/chat/${chat}`, byKey)).json().open).toBeUndefined();
  });
});
