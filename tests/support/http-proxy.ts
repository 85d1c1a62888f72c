import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FakeClock } from 'countersign/testing';
import { onTestFinished } from 'vitest';

/** How a proxy treats what it passes on. */
export type HttpProxySettings = {
  /** The Host that the server gets. Default: the one that the client sent. */
  readonly host?: string;
  /** Connections on which the server is silent for this long are cut, by this clock. */
  readonly idle?: { readonly ms: number; readonly clock: FakeClock };
};

/**
 * A reverse proxy like nginx: it keeps a response until it is complete, unless the response says `X-Accel-Buffering: no`, adds
 * `X-Forwarded-*`, passes upgrades on, and cuts connections that are idle.
 *
 * @returns the proxy's own URL
 */
export async function httpProxy(target: string, { host, idle }: HttpProxySettings = {}): Promise<string> {
  const { hostname, port } = new URL(target);

  const passOn = (incoming: IncomingMessage) =>
    request({
      hostname,
      port,
      method: incoming.method,
      path: incoming.url,
      agent: false,
      headers: {
        ...incoming.headers,
        ...(host !== undefined && { host }),
        'x-forwarded-for': '203.0.113.7',
        'x-forwarded-host': incoming.headers.host,
        'x-forwarded-proto': 'https',
      },
    });

  /** Cuts both sides when nothing came from the server for too long. */
  function watch(from: Duplex | IncomingMessage, cut: () => void): void {
    if (!idle) return;
    let cancel = idle.clock.after(idle.ms, cut);
    from.on('data', () => {
      cancel();
      cancel = idle.clock.after(idle.ms, cut);
    });
    from.on('close', () => cancel());
  }

  const proxy = createServer((incoming, outgoing) => {
    const passed = passOn(incoming);
    incoming.pipe(passed);
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    passed.on('response', async (response) => {
      watch(response, () => outgoing.destroy());
      const { statusCode = 502, headers } = response;
      if (headers['x-accel-buffering'] === 'no') {
        outgoing.writeHead(statusCode, headers);
        outgoing.flushHeaders();
        response.pipe(outgoing);
      } else {
        const body = Buffer.concat(await response.toArray());
        outgoing.writeHead(statusCode, headers).end(body);
      }
    });
  });

  proxy.on('upgrade', (incoming, socket) => {
    const passed = passOn(incoming).end();
    socket.on('error', () => passed.destroy());
    passed.on('response', (refusal) => {
      socket.write(`HTTP/1.1 ${refusal.statusCode} Refused\r\nconnection: close\r\n\r\n`);
      refusal.pipe(socket);
    });
    passed.on('upgrade', (response, upstream, head) => {
      const lines = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}`);
      socket.write(['HTTP/1.1 101 Switching Protocols', ...lines, '', ''].join('\r\n'));
      socket.write(head);
      upstream.pipe(socket).pipe(upstream);
      upstream.on('error', () => socket.destroy());
      socket.on('close', () => upstream.destroy());
      watch(upstream, () => socket.destroy());
    });
  });

  const listening = Promise.withResolvers<void>();
  proxy.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}
