import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** A loopback port for a server that cannot choose one itself. */
export type ReservedPort = {
  readonly port: number;
  /** Lets other processes reserve it. Without it, the reservation ends with this process. */
  release(): void;
};

/**
 * Reserves a port that no other caller of this function gets, in any process, also while the server on it restarts. The
 * reservation is a listener on the next port, so the system ends it with the process. Both ports lie outside the range from
 * which the system assigns ports. A program that does not reserve its port can still take it: then start again with another.
 */
export async function reservePort(): Promise<ReservedPort> {
  for (;;) {
    const port = 2 * randomInt(10_000, 16_000);
    const reservation = await listenOn(port + 1);
    if (!reservation) continue;
    const probe = await listenOn(port);
    if (probe) {
      probe.close();
      await once(probe, 'close');
      return { port, release: () => void reservation.close() };
    }
    reservation.close();
  }
}

/** A listener that does not keep its process alive; `undefined` if the port is taken. */
async function listenOn(port: number): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy()).unref();
  const { promise, resolve, reject } = Promise.withResolvers<Server | undefined>();
  server.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') resolve(undefined);
    else reject(error);
  });
  server.listen(port, '127.0.0.1', () => resolve(server));
  return promise;
}
