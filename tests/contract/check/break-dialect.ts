import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { serve } from '../../../lib/testing/server/serve.ts';

/** What is changed between a client and a sound server. By default everything goes through as it is. */
export type Break = {
  /** Rewrites a frame of a stream or socket; `''` drops it. `undefined` closes the socket in its place. */
  readonly frame?: (text: string) => string | undefined;
  /** Removes headers of requests. */
  readonly without?: string;
  /** Answers requests that would get no stream. */
  readonly answer?: (status: number, path: string) => Response | undefined;
};

/** A server in front of another that breaks a rule. Gives its address. */
export async function serveBroken(
  url: string,
  { frame = (text) => text, without, answer }: Break,
): Promise<string> {
  const server = await serve({
    async fetch(request) {
      const { method } = request;
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      for (const name of ['host', 'connection', 'content-length', without ?? 'x-none']) headers.delete(name);
      const body = method === 'POST' ? await request.text() : undefined;
      const response = await fetch(`${url}${pathname}${search}`, { method, headers, body });
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
      if (isStream) return new Response(response.body?.pipeThrough(rewriting(frame)), response);
      return answer?.(response.status, pathname) ?? response;
    },
  });
  onTestFinished(() => server.close());
  return server.url;
}

/** The same for a socket. */
export async function serveBrokenSocket(url: string, { frame = (text) => text }: Break): Promise<string> {
  const http = createServer(async (request, response) => {
    const answered = await fetch(`${url}${request.url}`);
    response.writeHead(answered.status, { 'content-type': 'application/json' });
    response.end(await answered.text());
  });
  new WebSocketServer({ server: http }).on('connection', (client, request) => {
    const inner = new WebSocket(`${url.replace('http', 'ws')}${request.url}`);
    const waiting: string[] = [];
    client.on('message', (data) => {
      if (inner.readyState === inner.OPEN) inner.send(String(data));
      else waiting.push(String(data));
    });
    client.on('close', () => inner.terminate());
    inner.on('open', () => {
      for (const data of waiting) inner.send(data);
    });
    inner.on('message', (data) => {
      const changed = frame(String(data));
      if (changed === undefined) client.close();
      else if (changed !== '') client.send(changed);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const address = http.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

/** Frames of an event stream are rewritten one by one, as they arrive. */
function rewriting(frame: (text: string) => string | undefined): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  return new TransformStream({
    transform(chunk, controller) {
      const frames = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
      rest = frames.pop() ?? '';
      for (const text of frames) {
        const changed = frame(text);
        if (changed) controller.enqueue(encoder.encode(`${changed}\n\n`));
      }
    },
  });
}
