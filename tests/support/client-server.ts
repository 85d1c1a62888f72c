import { connect, createServer, type Socket } from 'node:net';
import type { Script } from 'countersign/testing';
import { onTestFinished } from 'vitest';
import { serve } from '../../lib/testing/server/serve.ts';
import { serveDialects } from '../contract/dialects/support/serve-dialects.ts';

/** Answers each task of the clients of streams and sockets. */
const script: Script = ({ prompt }) => {
  const last = prompt.at(-1);
  const text = JSON.stringify(last?.content);
  if (last?.role === 'tool') return [{ text: text.includes('paid') ? 'Paid.' : 'Two.' }];
  if (text.includes('Pay')) return [{ call: 'pay', input: { to: 'Alice', amount: 30 } }];
  const call = text.includes('Fail') ? { call: 'no_tool' } : { call: 'weather', input: { city: 'Oslo' } };
  return [{ text: 'One. ' }, call];
};

/**
 * The dialects over HTTP behind a proxy: with `break` in its query, the first connection to a stream breaks after one frame; with
 * `key`, it needs a bearer key.
 */
export async function streamServer(): Promise<string> {
  const { url } = await serveDialects(script);
  const broken = new Set<string>();
  const proxy = await serve({
    async fetch(request) {
      const { pathname, search, searchParams } = new URL(request.url);
      if (searchParams.has('key') && request.headers.get('authorization') !== 'Bearer ada') {
        return new Response(null, { status: 401 });
      }
      const { method } = request;
      const headers = new Headers(request.headers);
      for (const name of ['host', 'connection', 'content-length']) headers.delete(name);
      const body = method === 'POST' ? await request.text() : undefined;
      const response = await fetch(`${url}${pathname}${search}`, { method, headers, body });
      const stream = pathname + search;
      if (!searchParams.has('break') || broken.has(stream)) return response;
      broken.add(stream);
      return new Response(firstFrame(await response.text()), response);
    },
  });
  onTestFinished(() => proxy.close());
  return proxy.url;
}

/** The first frame, and then a broken connection. */
function firstFrame(text: string): ReadableStream<Uint8Array> {
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) controller.error(new Error('The connection broke.'));
      else controller.enqueue(new TextEncoder().encode(`${text.split('\n\n')[0]}\n\n`));
      isSent = true;
    },
  });
}

/**
 * The chat socket behind a proxy: with `break` in its query, the first connection breaks after a text; with `key`, it needs a bearer
 * key.
 */
export async function socketServer(): Promise<string> {
  const { url } = await serveDialects(script);
  const target = new URL(url);
  let hasBroken = false;
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    client.once('data', (head) => {
      const text = String(head);
      if (/^GET \S+[?]key=/.test(text) && !/^authorization: Bearer ada\r$/im.test(text)) {
        client.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
        return;
      }
      server.write(head);
      client.pipe(server);
      const breaks = /^GET \S+[?]break=/.test(text) && !hasBroken;
      hasBroken ||= breaks;
      server.on('data', (piece) => {
        client.write(piece, () => {
          if (breaks && piece.includes('"type":"token"')) client.destroy();
        });
      });
    });
    destroyTogether(client, server);
  });
  const listening = Promise.withResolvers<void>();
  proxy.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  onTestFinished(() => void proxy.close());
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return `http://127.0.0.1:${address.port}`;
}

function destroyTogether(...sockets: readonly Socket[]): void {
  for (const socket of sockets) {
    socket.on('error', () => {});
    socket.on('close', () => {
      for (const other of sockets) other.destroy();
    });
  }
}
