import { createServer, type IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { createConnectionLimit } from 'countersign/http/server';
import next from 'next';
import { compressedFiles } from './app/_server/compressed-files.ts';

/**
 * One port for the pages, the API and the WebSocket of the reference app, in development and production.
 *
 * Environment: `PORT` (3000; 0 takes a free one), `HOST` (127.0.0.1), `NODE_ENV` (`production` serves the
 * build of `npm run build`, anything else compiles as it goes, with hot reload).
 */

const secondsToShutDown = 10;

/** Longer than proxies keep idle connections, so that they close them first (ADR 0006). */
const idleConnectionSeconds = 620;

const host = process.env.HOST ?? '127.0.0.1';
const development = process.env.NODE_ENV !== 'production';

const server = createServer({ keepAliveTimeout: idleConnectionSeconds * 1000 });
// Connections without a sign-in are closed earlier, if there are too many.
const connections = createConnectionLimit({
  authorize: async (request) => (await edge()).authorize(request),
});
server.on('connection', connections.opened);
await listen(Number(process.env.PORT ?? 3000));
const { port } = addressOf(server);
// The app makes links to itself.
process.env.PORT = String(port);

// Next takes every upgrade of the server it is given and ends those it does not know, the chat's
// included. So it gets a server that never listens, and only its own upgrades are passed on to it.
const serverOfNext = new Server();
const app = next({
  dev: development,
  hostname: host,
  port,
  httpServer: serverOfNext,
  dir: import.meta.dirname,
});
const prepared = app.prepare();
const handle = app.getRequestHandler();
// In development the folder may have files of an earlier build.
const sendCompressed = development ? () => false : compressedFiles(join(import.meta.dirname, '.next'));

// The edge opens the store, once this server is known to have its port.
const edge = () => import('./app/_server/edge.ts');

server.on('request', async (request, response) => {
  // Connections that are kept alive bring requests until they are cut.
  if (!server.listening) return void response.writeHead(503, { connection: 'close' }).end();
  try {
    await (await edge()).stampPeer(request);
    connections.requested(request, response);
    if (sendCompressed(request, response)) return;
    await prepared;
    await handle(request, response);
  } catch (error) {
    console.error(error);
    response.destroy();
  }
});

server.on('upgrade', async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
  socket.on('error', () => socket.destroy());
  try {
    await upgrade(request, socket, head);
  } catch (error) {
    console.error(error);
    socket.destroy();
  }
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, shutDown);

await (await edge()).open();
await prepared;
console.log(`Countersign is ready on ${urlOf(port)}`);

async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
  const { handleUpgrade, stampPeer } = await edge();
  await stampPeer(request);
  connections.requested(request);
  if ((await handleUpgrade(request, socket, head)) === 'taken') return;
  const isForNext = development && request.url?.startsWith('/_next/');
  if (!isForNext || !serverOfNext.emit('upgrade', request, socket, head)) refuse(socket);
}

/** Stops listening, lets the flow end its streams and hand back its leases, then leaves. */
async function shutDown(): Promise<void> {
  // A terminal and the program between may both send the signal.
  if (!server.listening) return;
  setTimeout(() => process.exit(1), secondsToShutDown * 1000).unref();
  server.close();
  await (await edge()).close();
  server.closeAllConnections();
  await app.close();
  process.exit(0);
}

async function listen(wanted: number): Promise<void> {
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen(wanted, host, listening.resolve);
  try {
    await listening.promise;
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!taken) throw error;
    console.error(`Port ${wanted} on ${host} is taken. Choose another one: PORT=${wanted + 1} npm start`);
    process.exit(1);
  }
}

function refuse(socket: Duplex): void {
  socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
}

function urlOf(port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address;
}
