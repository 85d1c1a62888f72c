import { createServer, request } from 'node:http';
import { onTestFinished } from 'vitest';

/** The address of the proxy's clients, somewhere in the network (RFC 5737). */
const clientAddress = '203.0.113.7';

/**
 * A proxy on this machine, as in front of many servers: everything reaches the server from a loopback address,
 * under the server's own name, with the client's address appended to the header that the client sent.
 *
 * @returns the proxy's own address
 */
export async function reverseProxy(target: string): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const said = incoming.headers['x-forwarded-for'];
    const forwarded = [said, clientAddress].flat().filter(Boolean).join(', ');
    const headers = { ...incoming.headers, host: new URL(target).host, 'x-forwarded-for': forwarded };
    const passedOn = request(
      `${target}${incoming.url}`,
      { method: incoming.method, headers, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    incoming.pipe(passedOn);
  });
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  proxy.listen(0, '127.0.0.1', resolve);
  await listening;
  onTestFinished(() => void proxy.close());
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return `http://127.0.0.1:${address.port}`;
}
