import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Duplex, Readable } from 'node:stream';

/** The handlers of a server. */
export type ServeSettings = {
  /** A Web handler for every request. Default: every request gets 404. */
  readonly fetch?: (request: Request) => Response | Promise<Response>;
  /** Handles WebSocket upgrades. Default: they are dropped, as those for which it returns `unknown`. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => unknown;
  /** Called first for every request and upgrade, for example with `stampPeer`. */
  readonly before?: (request: IncomingMessage) => void;
};

/** A listening server. */
export type Served = {
  /** Such as `http://127.0.0.1:40123`, without a trailing slash. */
  readonly url: string;
  /** Drops all connections, and resolves when the port is free. */
  close(): Promise<void>;
};

/** Longer than any pause of a test. */
const idleMs = 600_000;

/**
 * Serves Web handlers over HTTP on a free loopback port. As in production, a client that disconnects aborts the
 * request's signal and cancels the response's body, and a slow client applies back-pressure.
 */
export async function serve({ fetch, upgrade, before }: ServeSettings): Promise<Served> {
  const server = createServer((incoming, outgoing) => {
    before?.(incoming);
    const respond = fetch ?? (() => new Response(null, { status: 404 }));
    const left = new AbortController();
    outgoing.once('close', () => outgoing.writableFinished || left.abort());
    // Node drops the rest of a body only if no stream was made of it. What is left blocks the connection's next request.
    outgoing.once('finish', () => incoming.removeAllListeners('data').resume());
    Promise.resolve(toWebRequest(incoming, left.signal))
      .then(respond)
      .then((response) => writeResponse(response, outgoing))
      // A handler that throws sends no response. The client sees a broken connection.
      .catch(() => outgoing.destroy());
  });
  // A client may reuse a connection after any pause. A server that closes it then resets the request.
  server.keepAliveTimeout = idleMs;
  if (upgrade) {
    server.on('upgrade', async (incoming, socket, head) => {
      before?.(incoming);
      if ((await upgrade(incoming, socket, head)) === 'unknown') socket.destroy();
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

/** A Node request as a Web `Request`. Its body is read on demand. */
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

/**
 * Writes a Web `Response` to a Node response, at the client's speed. Resolves when it is sent or the client has left.
 */
async function writeResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.appendHeader(name, value);
  outgoing.flushHeaders();
  const reader = response.body?.getReader();
  if (outgoing.destroyed) return reader?.cancel();
  let goOn = () => {};
  // One listener for the whole response: a long response to a slow client drains thousands of times.
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
