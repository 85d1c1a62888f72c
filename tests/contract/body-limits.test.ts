import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { config } from '../../proxy.ts';
import { appRoutes } from '../support/app-routes.ts';
import { ada, flowFixture } from '../support/flow-fixture.ts';
import { sendRaw } from '../support/raw-request.ts';
import { serveAll } from './support/serve-all.ts';

const limits = { bodyBytes: 200 };

/** Every server half, with one limit for all. */
async function served(): Promise<string> {
  const { flow } = flowFixture([]);
  onTestFinished(() => flow.close());
  return serveAll(flow, { authorize: () => ada, limits });
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
