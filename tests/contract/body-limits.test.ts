import {
  createChatSocket,
  createResponsesHandler,
  createToolEventsHandler,
  createTwoStepHandlers,
} from 'countersign/dialects';
import { createFetchHandler } from 'countersign/sse/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { createBidiServer, createSocketServer } from '../../lib/bidi/server.ts';
import { serve } from '../../lib/testing/server/serve.ts';
import { config } from '../../proxy.ts';
import { appRoutes } from '../support/app-routes.ts';
import { ada, flowFixture } from '../support/flow-fixture.ts';
import { sendRaw } from '../support/raw-request.ts';

const limits = { bodyBytes: 200 };

/** Every server half, with one limit for all. */
async function served(): Promise<string> {
  const { flow } = flowFixture([]);
  const settings = { authorize: () => ada, limits };
  const api = createFetchHandler(flow, settings);
  const responses = createResponsesHandler(flow, settings);
  const twoStep = createTwoStepHandlers(flow, settings);
  const toolEvents = createToolEventsHandler(flow, settings);
  const own: Readonly<Record<string, (request: Request) => Promise<Response>>> = {
    '/v1/responses': responses.POST,
    '/api/chat/message': twoStep.message.POST,
    '/api/dialects/tool-events': toolEvents.POST,
  };
  const bidi = createBidiServer(flow, settings);
  const chatSocket = createSocketServer(settings, createChatSocket(flow, settings));
  const server = await serve({
    fetch: (request) => (own[new URL(request.url).pathname] ?? api)(request),
    upgrade: (request, socket, head) =>
      (request.url === '/api/chat/socket' ? bidi : chatSocket).handleUpgrade(request, socket, head),
  });
  onTestFinished(async () => {
    await Promise.all([bidi.close(), chatSocket.close()]);
    await server.close();
    await flow.close();
  });
  return server.url;
}

describe('one body limit for all endpoints [H-Errors]', () => {
  it.each([
    ['POST', '/api/chat'],
    ['PATCH', '/api/chat/chat'],
    ['POST', '/api/chat/chat/outcomes/call'],
    ['POST', '/api/approvals/question'],
    ['POST', '/api/chat/message'],
    ['POST', '/api/dialects/tool-events'],
    ['POST', '/v1/responses'],
  ])('%s %s accepts a body at the limit, and refuses one more byte with 413', async (method, path) => {
    const url = await served();
    const send = (bytes: number) =>
      sendRaw({
        method,
        url: `${url}${path}`,
        headers: { 'content-type': 'application/json' },
        body: 'x'.repeat(bytes - 2),
      });
    expect((await send(limits.bodyBytes)).status).toBe(400);
    const { status, text } = await send(limits.bodyBytes + 1);
    expect([status, text]).toEqual([413, expect.stringContaining('larger than 200 bytes')]);
  });

  it.each(['/api/chat/socket', '/api/dialects/chat-socket'])(
    '%s closes the socket after a larger frame',
    async (path) => {
      const socket = new WebSocket(`${(await served()).replace('http', 'ws')}${path}`);
      const closed = Promise.withResolvers<number>();
      socket.on('close', closed.resolve);
      socket.on('open', () => socket.send('x'.repeat(limits.bodyBytes + 1)));
      expect(await closed.promise).toBe(1009);
    },
  );

  it('leaves no endpoint of the app to Next’s page proxy, which truncates bodies', async () => {
    const pages = new RegExp(`^${config.matcher[0]?.source}$`);
    expect(pages.test('/inbox')).toBe(true);
    const cut = (await appRoutes()).filter(({ method, path }) => method !== 'GET' && pages.test(path));
    expect(cut.map(({ path }) => path)).toEqual([]);
  });
});
