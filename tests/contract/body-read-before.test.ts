import { createServer, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Route } from 'countersign/http/server';
import { responses } from 'countersign/plugins/responses';
import { createFetchHandler } from 'countersign/sse/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readJson } from '../../lib/server/requests/read-json.ts';
import { asAda, fakeFlow, streamOf, turnOfText } from './support/fake-flow.ts';

const limits = { bodyBytes: 200 };
const json = { 'content-type': 'application/json' };
const chatRequest = {
  id: 'chat1',
  message: { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Grüße' }] },
};
const wholeText = JSON.stringify(chatRequest);

/** A request as Express passes it on: a body parser may have set `body`. */
type Parsed = IncomingMessage & { body?: unknown };

/** What the body parsers of Express do: they read the whole body, and set `request.body`. */
const parsers = {
  'express.json()': (bytes: Buffer) => JSON.parse(bytes.toString()),
  'express.text()': (bytes: Buffer) => bytes.toString(),
  'express.raw()': (bytes: Buffer) => bytes,
  'a parser that keeps nothing': () => undefined,
} satisfies Record<string, (bytes: Buffer) => unknown>;

/**
 * The handler behind a parser, on a port of its own. As in `@hono/node-server`, the second argument of the handler has the
 * Node request.
 */
async function behind(handler: Route, parse?: (bytes: Buffer) => unknown): Promise<string> {
  const server = createServer(async (incoming: Parsed, outgoing) => {
    if (parse) incoming.body = parse(Buffer.concat(await Readable.from(incoming).toArray()));
    const headers = new Headers(incoming.headers as Record<string, string>);
    const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>;
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    const response = await handler(new Request(`http://localhost${incoming.url}`, init), {
      incoming,
      outgoing,
    });
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(await response.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return `http://127.0.0.1:${address.port}`;
}

const post = (url: string, body: BodyInit) =>
  fetch(url, { method: 'POST', headers: json, body, duplex: 'half' } as RequestInit);

/** A body without a declared length. */
const chunked = (text: string) => new Blob([text]).stream();

function chatServer() {
  const flow = fakeFlow({ chats: { respond: async () => streamOf(turnOfText(['Hello'])) } });
  return { flow, handler: createFetchHandler(flow, { authorize: asAda, limits }) };
}

describe('a body that a framework has read before the handler [H1]', () => {
  it.each(['express.json()', 'express.text()', 'express.raw()'] as const)(
    'is used after %s',
    async (name) => {
      const { flow, handler } = chatServer();
      const url = `${await behind(handler, parsers[name])}/api/chat`;
      for (const body of [wholeText, chunked(wholeText)]) {
        const response = await post(url, body);
        expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Hello')]);
      }
      expect(flow.requests.map(({ message }) => message?.parts)).toEqual([
        chatRequest.message.parts,
        chatRequest.message.parts,
      ]);
    },
  );

  it('is used by the Responses API, too', async () => {
    const handler = createFetchHandler(fakeFlow(), { authorize: asAda, limits, dialects: [responses()] });
    const url = await behind(handler, parsers['express.json()']);
    const response = await post(`${url}/v1/responses`, '{"input":7}');
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('input');
  });

  it('has the same limit, counted after decompression', async () => {
    const { handler } = chatServer();
    const bomb = () => ({ id: 'chat1', text: 'ü'.repeat(100) });
    for (const parsed of [bomb(), JSON.stringify(bomb()), Buffer.from(JSON.stringify(bomb()))]) {
      const response = await post(`${await behind(handler, () => parsed)}/api/chat`, '{}');
      expect([response.status, await response.text()]).toEqual([
        413,
        expect.stringContaining('larger than 200 bytes'),
      ]);
    }
  });

  it.each<[string, () => unknown]>([
    ['text that is not JSON', () => '{"id":'],
    ['bytes that are not UTF-8', () => Buffer.from([0x22, 0xff, 0x22])],
    ['a value that JSON cannot express', () => ({ id: 1n })],
  ])('refuses %s', async (_what, parse) => {
    const { handler } = chatServer();
    const response = await post(`${await behind(handler, parse)}/api/chat`, '{}');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'invalid-request' } });
  });

  it('may be nested too deep for the stack', async () => {
    const { handler } = chatServer();
    const deep = () => JSON.parse('['.repeat(200_000) + ']'.repeat(200_000));
    const { status } = await post(`${await behind(handler, deep)}/api/chat`, '{}');
    // Engines whose serializer needs no stack find it too large.
    expect([400, 413]).toContain(status);
  });

  it('is not used instead of a body that can still be read', async () => {
    const { flow, handler } = chatServer();
    // Older body parsers set an empty object on requests that they do not read.
    const overwritten: Route = (request, context) => {
      Object.assign((context as { incoming: Parsed }).incoming, { body: {} });
      return handler(request, context);
    };
    expect((await post(`${await behind(overwritten)}/api/chat`, wholeText)).status).toBe(200);
    expect(flow.requests).toHaveLength(1);
  });
});

describe('a body that was read before and is gone [H-Errors]', () => {
  const alreadyRead = expect.objectContaining({
    code: 'invalid-request',
    message: expect.stringContaining('The body was already read'),
  });

  it('is named when the parser kept nothing', async () => {
    const { handler } = chatServer();
    const url = `${await behind(handler, parsers['a parser that keeps nothing'])}/api/chat`;
    const response = await post(url, wholeText);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: alreadyRead });
  });

  it('is named when the handler does not get the Node request', async () => {
    const { handler } = chatServer();
    const url = await behind((request) => handler(request), parsers['express.json()']);
    expect(await (await post(`${url}/api/chat`, wholeText)).json()).toMatchObject({ error: alreadyRead });
  });

  const given = (body?: BodyInit) =>
    new Request('http://localhost/', { method: 'POST', headers: json, ...(body && { body }) });

  it('is named for a fetch request whose body was used', async () => {
    const request = given('{}');
    await request.json();
    await expect(readJson(request)).rejects.toThrow(alreadyRead);
  });

  it('is named for a fetch request whose body has another reader', async () => {
    const request = given('{}');
    request.body?.getReader();
    await expect(readJson(request)).rejects.toThrow(alreadyRead);
  });

  it('is not named when nothing was sent', async () => {
    await expect(readJson(given())).rejects.toThrow('The body is empty');
  });
});
