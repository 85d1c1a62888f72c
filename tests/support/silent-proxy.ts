import { connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** How the proxy changes the head of a request. */
export type SilentProxySettings = {
  /** The HTTP version towards the server. nginx uses 1.0 by default. */
  readonly version: '1.0' | '1.1';
};

/**
 * A local proxy that adds no headers: each request reaches the server from a loopback address, under the server's own
 * loopback name. It handles one request per connection, and upgrades.
 *
 * @returns the proxy's own URL
 */
export async function silentProxy(target: string, { version }: SilentProxySettings): Promise<string> {
  const { hostname, port, host } = new URL(target);
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    let head = Buffer.alloc(0);
    const read = (bytes: Buffer) => {
      head = Buffer.concat([head, bytes]);
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      client.off('data', read);
      const text = head
        .toString('latin1', 0, end)
        .replace(/HTTP\/1\.\d/, `HTTP/${version}`)
        .replace(/^host:.*$/im, `Host: ${host}`);
      server.write(Buffer.concat([Buffer.from(text, 'latin1'), head.subarray(end)]));
      client.pipe(server);
    };
    client.on('data', read);
    server.pipe(client);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  const listening = Promise.withResolvers<void>();
  proxy.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  onTestFinished(() => void proxy.close());
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return `http://127.0.0.1:${address.port}`;
}
