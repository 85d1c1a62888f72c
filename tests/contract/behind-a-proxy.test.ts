import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { fakeClock } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { serveFlow } from '../../lib/testing/server/serve-flow.ts';
import { barrier } from '../support/barrier.ts';
import { ada, flowFixture } from '../support/flow-fixture.ts';
import { handshake } from '../support/handshake.ts';
import { type HttpProxySettings, httpProxy } from '../support/http-proxy.ts';
import { sendRaw } from '../support/raw-request.ts';

const host = 'chat.example.com';
const origin = `https://${host}`;
const quiet = { warn: () => {}, error: () => {} };
const json = { 'content-type': 'application/json' };
const idleMs = 60_000;

/** A model that has said something, and goes on when it may. */
async function serving(proxy: HttpProxySettings = {}, more: object = {}) {
  const clock = fakeClock();
  const { wait, lift } = barrier();
  const { flow } = flowFixture([[{ text: 'One.' }, { wait }, { text: ' Two.' }]], { logger: quiet });
  const settings = { authorize: () => ada, allowedHosts: [host], clock, logger: quiet, ...more };
  const { url, close } = await serveFlow(flow, settings);
  onTestFinished(async () => {
    lift();
    await close();
    await flow.close();
  });
  const idle = { ms: idleMs, clock };
  return { direct: url, url: await httpProxy(url, { idle, ...proxy }), clock, lift };
}

/** Sends a message, and reads its stream as it arrives. */
async function say(url: string) {
  const message = { id: 'user-1', role: 'user', parts: [{ type: 'text', text: 'Hi.' }] };
  const sent: ClientRequest = request(`${url}/api/chat`, {
    method: 'POST',
    headers: { ...json, host, origin },
    agent: false,
  });
  sent.end(JSON.stringify({ id: 'chat', message }));
  const [response]: IncomingMessage[] = await once(sent, 'response');
  if (!response) throw new Error('There is no response.');
  let text = '';
  response.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const ended = new Promise<'complete' | 'cut'>((resolve) => {
    response.on('close', () => resolve(response.complete ? 'complete' : 'cut'));
    response.on('error', () => {});
  });
  return { status: response.statusCode, text: () => text, ended };
}

const comments = (text: string) => text.split(': keep-alive\n\n').length - 1;

describe('a stream through a reverse proxy', () => {
  it('arrives while the model still writes, although the proxy keeps other responses [H1]', async () => {
    const { url, lift } = await serving();
    const { status, text, ended } = await say(url);
    expect(status).toBe(200);
    await expect.poll(text).toContain('One.');
    expect(text()).not.toContain('Two.');
    lift();
    expect(await ended).toBe('complete');
    expect(text()).toContain('Two.');
  });

  it('outlasts the silence that the proxy accepts, because comments break it [H1]', async () => {
    const { url, clock, lift } = await serving();
    const { text, ended } = await say(url);
    await expect.poll(text).toContain('One.');
    for (let silence = 1; silence <= 5; silence += 1) {
      clock.advance(15_000);
      await expect.poll(() => comments(text())).toBe(silence);
    }
    lift();
    expect(await ended).toBe('complete');
  });

  it('is cut if comments are sent too rarely: `keepAliveMs` must be below the limit of the proxy [H1]', async () => {
    const { url, clock } = await serving({}, { keepAliveMs: idleMs + 1_000 });
    const { text, ended } = await say(url);
    await expect.poll(text).toContain('One.');
    clock.advance(idleMs);
    expect(await ended).toBe('cut');
  });
});

describe('a socket through a reverse proxy', () => {
  it('outlasts the silence that the proxy accepts, because of pings [H3]', async () => {
    const { url, clock } = await serving();
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/chat/socket`, {
      headers: { host, origin },
    });
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    for (let silence = 0; silence < 3; silence += 1) {
      const ping = once(socket, 'ping');
      clock.advance(30_000);
      await ping;
      // Frames arrive in order: with this response, the server has got the pong, too.
      const response = once(socket, 'message');
      socket.send(
        JSON.stringify({ requestId: `resume-${silence}`, headers: {}, body: {}, type: 'resume', id: 'none' }),
      );
      const [frame] = await response;
      expect(JSON.parse(String(frame))).toMatchObject({ type: 'no-active' });
    }
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });
});

describe('the Host behind a reverse proxy', () => {
  const get = (url: string, headers: Record<string, string>) =>
    sendRaw({ method: 'GET', url: `${url}/api/chat`, headers });

  it('is the one that the browser sent, so its pages and sockets are accepted [H-Identity]', async () => {
    const { url } = await serving();
    expect((await get(url, { host, origin })).status).toBe(200);
    expect(await handshake(url, '/api/chat/socket', { Host: host, Origin: origin })).toBe(101);
  });

  it('must not be rewritten: then no page has the origin of the server [H-Identity]', async () => {
    const { url } = await serving({ host: 'upstream:3000' }, { allowedHosts: [host, 'upstream'] });
    expect((await get(url, { host, origin })).status).toBe(403);
    expect(await handshake(url, '/api/chat/socket', { Host: host, Origin: origin })).toBe(403);
  });

  it('is never taken from `X-Forwarded-Host`, which a client can send [H-Identity]', async () => {
    const { direct } = await serving();
    const forwarded = { 'x-forwarded-host': host, 'x-forwarded-proto': 'https' };
    expect((await get(direct, { host: 'evil.example.com', ...forwarded })).status).toBe(403);
    expect((await get(direct, { host, origin, 'x-forwarded-host': 'evil.example.com' })).status).toBe(200);
  });
});
