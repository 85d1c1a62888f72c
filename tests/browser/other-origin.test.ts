// depends on: app/_server lib/server lib/sse lib/bidi lib/client/transport
import { startFlowServer } from 'countersign/testing';
import type { Browser } from 'playwright-core';
import { describe, expect, onTestFinished } from 'vitest';
import { serve } from '../../lib/testing/server/serve.ts';
import { ada, flowFixture } from '../support/flow-fixture.ts';
import { it } from './support/browser-test.ts';

// A page on one port of this machine uses the endpoints on another: two origins, in a browser that enforces the rules.

const session = { name: 'session', value: 'of-ada' };

/** A server of an empty page, until the end of the test. */
async function servePage(): Promise<string> {
  const html = '<!doctype html><title>Page</title>';
  const headers = { 'content-type': 'text/html' };
  const { url, close } = await serve({ fetch: () => new Response(html, { headers }) });
  onTestFinished(close);
  return url;
}

/** Two pages, of which the endpoints list one, in a browser that is signed in at the endpoints. */
async function openPages(browser: Browser) {
  const [listed, unlisted] = [await servePage(), await servePage()];
  const { flow, store } = flowFixture(() => [{ text: 'Hello from another origin.' }]);
  const { url, api, socket, close } = await startFlowServer({
    flow,
    authorize: (request) => (request.headers.get('cookie') === 'session=of-ada' ? ada : null),
    allowedOrigins: [listed],
  });
  const context = await browser.newContext();
  onTestFinished(async () => {
    await context.close();
    await close();
    await flow.close();
    await store.close();
  });
  await context.addCookies([{ ...session, url, httpOnly: true, sameSite: 'Strict' }]);
  const open = async (origin: string) => {
    const page = await context.newPage();
    await page.goto(origin);
    return page;
  };
  return { listed, unlisted, api, socket, open, chats: () => flow.chats.list({ principal: ada }) };
}

/** In the page: sends a message and reads the response, as the SDK's transport does. */
async function sendMessage(api: string) {
  const message = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] };
  try {
    const response = await fetch(api, {
      method: 'POST',
      credentials: 'include',
      headers: { 'content-type': 'application/json', 'x-tenant': 'acme' },
      body: JSON.stringify({ id: 'chat', message }),
    });
    const stream = response.headers.get('x-vercel-ai-ui-message-stream');
    return { status: response.status, stream, text: await response.text() };
  } catch (error) {
    return String(error);
  }
}

/** In the page: the status of a refusal, if the browser lets the page read it. */
async function readMissing(api: string) {
  const response = await fetch(`${api}/missing`, { credentials: 'include' }).catch(String);
  return typeof response === 'string' ? response : [response.status, await response.json()];
}

/** In the page: the event that ends the handshake of a socket. */
function openSocket(url: string) {
  const socket = new WebSocket(url);
  return new Promise<string>((resolve) => {
    socket.onopen = () => resolve('open');
    socket.onerror = () => resolve('error');
  });
}

describe('a page of another origin, in a browser [H-Identity, H3]', () => {
  it('uses the endpoints with the cookie of its user, if its origin is listed', async ({ browser }) => {
    const { listed, open, api, socket } = await openPages(browser);
    const page = await open(listed);
    expect(await page.evaluate(sendMessage, api)).toEqual({
      status: 200,
      stream: 'v1',
      text: expect.stringContaining('Hello from another origin.'),
    });
    expect(await page.evaluate(readMissing, api)).toEqual([
      404,
      { error: expect.objectContaining({ code: 'not-found' }) },
    ]);
    expect(await page.evaluate(openSocket, socket)).toBe('open');
  });

  it('can neither send nor read anything otherwise', async ({ browser }) => {
    const { unlisted, open, api, socket, chats } = await openPages(browser);
    const page = await open(unlisted);
    expect(await page.evaluate(sendMessage, api)).toBe('TypeError: Failed to fetch');
    expect(await page.evaluate(readMissing, api)).toBe('TypeError: Failed to fetch');
    expect(await page.evaluate(openSocket, socket)).toBe('error');
    expect((await chats()).items).toEqual([]);
  });
});
