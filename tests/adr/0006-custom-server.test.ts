import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { WebSocketChatTransport } from 'ai';
import { collect } from 'countersign/testing';
import { afterAll, beforeAll, expect } from 'vitest';
import { WebSocket } from 'ws';
import { serveFlow } from '../../lib/testing/server/serve-flow.ts';
import { adr } from '../support/adr.ts';
import { ada, flowFixture } from '../support/flow-fixture.ts';
import { rowsOfThisRun } from '../support/matrix.ts';
import { type OnePortApp, serveOnePortApp } from './one-port-app.ts';

const { clause } = adr('0006-custom-server.md');

/** Our server, and the rejected option, in which Next gets the server that listens. */
let app: OnePortApp;
let rejected: OnePortApp;
beforeAll(async () => {
  const givenToNext = (source: string) => source.replace('httpServer: serverOfNext', 'httpServer: server');
  const withFew = (source: string) =>
    source.replace('createConnectionLimit({', 'createConnectionLimit({ most: 8,');
  [app, rejected] = await Promise.all([serveOnePortApp(withFew), serveOnePortApp(givenToNext)]);
  // Next handles upgrades from its first request on, and compiles a page on its first request.
  const warm = [
    `${app.url}/`,
    `${app.url}/api/chats`,
    `${app.url}/api/chat/any`,
    `${rejected.url}/api/chat/any`,
  ];
  for (const url of warm) await (await fetch(url)).text();
}, 300_000);
afterAll(() => Promise.all([app?.stop(), rejected?.stop()]));

const chatPath = '/api/chat/socket';
const socketUrl = (url: string, path: string) => `${url.replace('http', 'ws')}${path}`;

/** The result of an upgrade: `open`, or the status of its refusal. */
async function upgrade(url: string, headers: Record<string, string> = {}): Promise<string> {
  const socket = new WebSocket(url, { headers });
  const answer = Promise.withResolvers<string>();
  socket.on('open', () => answer.resolve('open'));
  socket.on('unexpected-response', (_request, { statusCode }) => answer.resolve(String(statusCode)));
  socket.on('error', answer.reject);
  await answer.promise.finally(() => socket.terminate());
  return answer.promise;
}

/** Sends a GET and reads the response to its end. */
async function requested(url: string, agent: Agent) {
  const request = get(url, { agent });
  const [response] = await once(request, 'response');
  await once(response.resume(), 'end');
  return { status: response.statusCode, keepAlive: response.headers['keep-alive'], socket: request.socket };
}

/** One turn over the socket. */
async function sayHello(url: string, chatId: string) {
  const transport = new WebSocketChatTransport({ url: socketUrl(url, chatPath) });
  const stream = await transport.sendMessages({
    chatId,
    trigger: 'submit-message',
    messageId: undefined,
    messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hi.' }] }],
    abortSignal: undefined,
  });
  return collect(stream);
}

/** Whether a socket stays open, as a client sees it. */
async function openSocket(url: string, path: string) {
  const socket = new WebSocket(socketUrl(url, path));
  const faults: string[] = [];
  socket.on('error', ({ message }) => faults.push(message));
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise((resolve) => socket.once('open', resolve));
  return { socket, faults, closed };
}

clause('0006.1', async () => {
  expect(await (await fetch(app.url)).text()).toContain('<h1>One port</h1>');
  expect((await fetch(`${app.url}/api/chats`)).status).toBe(200);
  expect(await sayHello(app.url, 'first')).toContainEqual(
    expect.objectContaining({ type: 'text-delta', delta: 'Hello.' }),
  );
});

clause('0006.2', async () => {
  const reload = new WebSocket(socketUrl(app.url, '/_next/hmr'));
  const [message] = await once(reload, 'message');
  expect(JSON.parse(String(message))).toHaveProperty('type');
  reload.terminate();
  expect(await upgrade(socketUrl(app.url, '/elsewhere'))).toBe('404');
});

clause('0006.3', async () => {
  const ours = await openSocket(app.url, chatPath);
  await sayHello(app.url, 'meanwhile');
  expect(ours.socket.readyState).toBe(WebSocket.OPEN);
  ours.socket.terminate();

  const cut = await openSocket(rejected.url, chatPath);
  expect(await cut.closed).toBe(1006);
  const reload = await openSocket(rejected.url, '/_next/hmr');
  expect(await reload.closed).toBe(1006);
  expect(reload.faults).toEqual([expect.stringContaining('Invalid WebSocket frame')]);
});

clause('0006.4', async () => {
  await sayHello(app.url, 'shared');
  const seen = await (await fetch(`${app.url}/api/chats`)).json();
  expect(seen).toMatchObject({ pid: app.pid, chats: expect.arrayContaining(['shared']) });
  // The rejected option, a module variable: the route has its own copy, which is empty.
  expect(seen.opened).toBe(0);
});

clause('0006.5', async () => {
  const { flow } = flowFixture([]);
  const other = await serveFlow(flow, { authorize: () => ada });
  expect(await upgrade(socketUrl(other.url, chatPath), { origin: other.url })).toBe('open');
  expect(await upgrade(socketUrl(other.url, chatPath), { origin: app.url })).toBe('403');
  await other.close();
  await flow.close();
});

clause('0006.6', async () => {
  const ending = await serveOnePortApp();
  const { closed } = await openSocket(ending.url, chatPath);
  const { code, printed } = await ending.stop();
  expect(await closed).toBe(1001);
  expect(code).toBe(0);
  expect(printed).toContain('The flow is closed.');
});

clause('0006.7', async () => {
  // Node announces the time for which its server keeps the connection. Its default would close it in the sixth second,
  // for which only the matrix waits.
  for (const idleMs of rowsOfThisRun([0, 7_000], (ms) => ms === 0)) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { keepAlive, socket } = await requested(`${app.url}/api/chats`, agent);
    expect(keepAlive).toBe('timeout=620');
    await setTimeout(idleMs);
    expect(socket?.destroyed).toBe(false);
    const second = await requested(`${app.url}/api/chats`, agent);
    expect(second.status).toBe(200);
    expect(second.socket).toBe(socket);
    agent.destroy();
  }
});

clause('0006.8', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { socket } = await requested(`${app.url}/api/chats`, agent);
  const { hostname, port } = new URL(app.url);
  const idle = Array.from({ length: 20 }, () => connect(Number(port), hostname).resume());
  await Promise.all(idle.slice(0, 8).map((each) => once(each, 'close')));
  expect((await requested(`${app.url}/api/chats`, agent)).socket).toBe(socket);
  // Rejected: no limit. Each of them keeps a descriptor of the process.
  const others = Array.from({ length: 20 }, () => connect(Number(new URL(rejected.url).port), hostname));
  await Promise.all(others.map((each) => once(each, 'connect')));
  await requested(`${rejected.url}/api/chats`, agent);
  expect(others.filter(({ readyState }) => readyState === 'open')).toHaveLength(20);
  for (const each of [...idle, ...others]) each.destroy();
  agent.destroy();
});
