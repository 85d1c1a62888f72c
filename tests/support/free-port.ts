import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A loopback port for a server that cannot choose one itself. It lies outside the range from which the system assigns
 * ports, so other programs are unlikely to take it before the server listens, or while the server restarts.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') resolve(false);
    else reject(error);
  });
  server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  return promise;
}
