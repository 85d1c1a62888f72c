import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { CountersignError } from '../../lib/protocol/index.ts';
import type { CallOptionsOf } from '../../lib/server/requests/call-options.ts';
import { ada, flowFixture } from '../support/flow-fixture.ts';
import { serveAll } from './support/serve-all.ts';

/** The model picker of a page: the client may choose `quick` or `large`. */
const chosen: CallOptionsOf = ({ request, principal, body }) => ({
  model: (body as { model?: unknown }).model,
  for: principal.id,
  from: request.headers.get('x-region') ?? 'unknown',
});

/** Every server half with one `callOptions`, and what `prepareCall` gets. */
async function served(callOptions: CallOptionsOf = chosen) {
  const seen: unknown[] = [];
  const warned: unknown[] = [];
  const pay = [{ call: 'pay', id: 'pay-1', input: { to: 'alice', amount: 5 } }];
  const fixture = flowFixture(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? [{ text: 'Paid.' }] : pay), {
    logger: { warn: (...line) => void warned.push(line), error: () => {} },
    callOptionsSchema: z.looseObject({ model: z.enum(['quick', 'large']) }),
    prepareCall({ options, ...rest }) {
      seen.push(options);
      return rest;
    },
  });
  const { flow } = fixture;
  onTestFinished(() => flow.close());
  const url = await serveAll(flow, { authorize: () => ada, callOptions });
  return { ...fixture, url, seen, warned };
}

const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Pay.' }] };
const headers = { 'content-type': 'application/json', 'x-region': 'eu' };

async function post(url: string, path: string, body: object) {
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
}

/** Sends one frame and returns the first answer that says how it went. */
async function frame(url: string, path: string, body: object): Promise<string> {
  const socket = new WebSocket(url.replace(/^http/, 'ws') + path, { headers: { 'x-region': 'eu' } });
  onTestFinished(() => socket.close());
  await new Promise((resolve) => socket.once('open', resolve));
  const answer = new Promise<string>((resolve) => {
    socket.on('message', (data) => {
      const text = String(data);
      if (/approval|error/.test(text)) resolve(text);
    });
  });
  socket.send(JSON.stringify(body));
  return answer;
}

const requests: [string, (url: string, more: object) => Promise<unknown>][] = [
  ['SSE', (url, more) => post(url, '/api/chat', { id: 'chat', message, ...more })],
  [
    'BIDI',
    (url, more) =>
      frame(url, '/api/chat/socket', {
        type: 'send',
        requestId: 'r1',
        id: 'chat',
        trigger: 'submit-message',
        messages: [],
        body: { message, ...more },
      }),
  ],
  ['tool events', (url, more) => post(url, '/api/dialects/tool-events', { message: 'Pay.', ...more })],
  ['two-step stream', (url, more) => post(url, '/api/chat/message', { message: 'Pay.', ...more })],
  ['Responses', (url, more) => post(url, '/v1/responses', { input: 'Pay.', ...more })],
  [
    'chat socket',
    (url, more) => frame(url, '/api/dialects/chat-socket', { type: 'message', content: 'Pay.', ...more }),
  ],
];

describe('`callOptions` of a handler [ADR 0030]', () => {
  it.each(requests)('%s: reach `prepareCall`, made from request, principal and body', async (_half, send) => {
    const { url, seen } = await served();
    await send(url, { model: 'large' });
    await expect.poll(() => seen[0]).toEqual({ model: 'large', for: 'ada', from: 'eu' });
  });

  it.each(requests)(
    '%s: a choice that does not fit is refused and nothing is written',
    async (_half, send) => {
      const { url, seen, flow } = await served();
      expect(JSON.stringify(await send(url, { model: 'huge' }))).toMatch(/invalid.(request|format)/i);
      expect(seen).toEqual([]);
      expect((await flow.chats.list({ principal: ada })).items).toEqual([]);
    },
  );

  const answered: [string, object, CallOptionsOf, number][] = [
    ['other ones are not used, and the log says so', { model: 'huge' }, chosen, 1],
    ['the same are no news', { model: 'quick' }, chosen, 0],
    [
      'a refusal changes nothing',
      { model: 'huge' },
      (context) => {
        if ((context.body as { model?: unknown }).model === 'huge')
          throw new Error('There is no such model.');
        return chosen(context);
      },
      0,
    ],
  ];
  it.each(
    requests.slice(0, 2).flatMap(([half, send]) => answered.map((row) => [half, ...row, send] as const)),
  )(
    '%s: those of the turn count with an answer: %s',
    async (_half, _what, given, callOptions, lines, send) => {
      const { url, seen, view, warned } = await served(callOptions);
      await post(url, '/api/chat', { id: 'chat', message, model: 'quick' });
      const { open } = await view();
      const answers = [{ approvalId: open, approved: true }];
      expect(JSON.stringify(await send(url, { message: undefined, answers, ...given }))).toContain(
        'tool-approval-response',
      );
      expect((await view()).questions).toMatchObject([{ state: 'approved' }]);
      expect(warned).toEqual(
        Array.from({ length: lines }, () => [
          'The call options of an answer were not used: its turn keeps those that it began with.',
          { chatId: 'chat' },
        ]),
      );
      for (const options of seen) expect(options).toEqual({ model: 'quick', for: 'ada', from: 'eu' });
      expect(seen.length).toBeGreaterThan(1);
    },
  );

  it('a refusal that it throws reaches the client', async () => {
    const { url } = await served(() => {
      throw new CountersignError('forbidden', 'Your plan has no large model.');
    });
    expect(await post(url, '/api/chat', { id: 'chat', message })).toMatchObject({
      status: 403,
      text: expect.stringContaining('Your plan has no large model.'),
    });
  });

  it('options that could reach a prototype are refused', async () => {
    const { url } = await served(({ body }) => (body as { options: unknown }).options);
    const dangerous =
      '{"id":"chat","message":{"id":"m1","role":"user","parts":[{"type":"text","text":"Hi"}]},';
    const body = `${dangerous}"options":{"model":"quick","__proto__":{"admin":true}}}`;
    const response = await fetch(`${url}/api/chat`, { method: 'POST', headers, body });
    expect(response.status).toBe(400);
  });
});
