import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * Lets a global setup provide a value that takes time, without holding up the tests of other projects: Vitest begins no test
 * before all global setups have returned. The setup provides the address, and the tests of its project wait for the value.
 *
 * @param value anything that JSON can express. The tests get its error if it rejects
 * @returns an address on loopback. Close it at the end of the run
 */
export async function serveLater(value: Promise<unknown>): Promise<{ url: string; close: () => void }> {
  // Without tests that wait, a failure would end the run as an unhandled rejection.
  value.catch(() => {});
  const server = createServer(async (_request, response) => {
    await value.then(
      (ready) => response.end(JSON.stringify(ready ?? null)),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Waits for the value, however long it takes. @throws Error with the message of what failed in the global setup */
export async function later(url: string): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  get(url, async (response) => {
    const body = await text(response);
    if (response.statusCode === 200) resolve(JSON.parse(body));
    else reject(new Error(body));
  }).once('error', reject);
  return promise;
}
