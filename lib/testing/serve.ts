import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Duplex, Readable } from 'node:stream';

/** What a served address answers with. */
export type ServeSettings = {
  /** A Web handler for every request. Without one, each request gets 404. */
  readonly fetch?: (request: Request) => Response | Promise<Response>;
  /** Takes WebSocket upgrades; without it they are dropped. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => unknown;
  /** Sees every request and upgrade first: the place for `stampPeer`. */
  readonly before?: (request: IncomingMessage) => void;
};

/** A server that listens. */
export type Served = {
  /** Such as `http://127.0.0.1:40123`, without a slash at its end. */
  readonly url: string;
  /** Drops all connections, and resolves when the port is free. */
  close(): Promise<void>;
};

/**
 * Serves Web handlers over real HTTP on a free port of the loopback interface. A client that goes away aborts the request's
 * signal and cancels the response's body, and a slow one is waited for, as in a real deployment.
 */
export async function serve({ fetch, upgrade, before }: ServeSettings): Promise<Served> {
  const server = createServer((incoming, outgoing) => {
    before?.(incoming);
    const respond = fetch ?? (() => new Response(null, { status: 404 }));
    const left = new AbortController();
    outgoing.once('close', () => outgoing.writableFinished || left.abort());
    Promise.resolve(toWebRequest(incoming, left.signal))
      .then(respond)
      .then((response) => writeResponse(response, outgoing))
      // A handler that throws has no answer; the client sees a broken connection.
      .catch(() => outgoing.destroy());
  });
  if (upgrade) {
    server.on('upgrade', (incoming, socket, head) => {
      before?.(incoming);
      upgrade(incoming, socket, head);
    });
  }
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;

  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A node request as a Web `Request`. Its body is read as it is needed. */
function toWebRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const item of [value].flat()) if (item !== undefined) headers.append(name, item);
  }
  const method = incoming.method ?? 'GET';
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(incoming.url ?? '/', 'http://localhost'), {
    method,
    headers,
    signal,
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' }),
  });
}

/** Writes a Web `Response` to a node response, at the client's pace. Resolves when it is sent or the client left. */
async function writeResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.appendHeader(name, value);
  outgoing.flushHeaders();
  const reader = response.body?.getReader();
  if (outgoing.destroyed) return reader?.cancel();
  let goOn = () => {};
  // Listened to once for the whole response: a long one to a slow client drains thousands of times.
  outgoing.on('drain', () => goOn());
  outgoing.once('close', () => {
    goOn();
    reader?.cancel().catch(() => {});
  });
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    if (outgoing.write(next.value) || outgoing.destroyed) continue;
    const drained = Promise.withResolvers<void>();
    goOn = drained.resolve;
    await drained.promise;
  }
  outgoing.end();
}
