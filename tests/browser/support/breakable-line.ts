import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network between a browser and a server that can fail for real: connections break, new ones are refused. */
export type BreakableLine = {
  /** Where the browser connects to. */
  readonly url: string;
  /** Breaks every connection and lets no new one through. */
  readonly cut: () => void;
  /** Lets new connections through again. */
  readonly mend: () => void;
  readonly close: () => Promise<void>;
};

/** Lays a line to the server at `url`: bytes pass through as they are, HTTP and WebSocket alike. */
export async function layLine(url: string): Promise<BreakableLine> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  let isCut = false;

  const line = createServer((near) => {
    near.on('error', () => near.destroy());
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(Number(port), hostname);
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(end);
      end.on('error', () => other.destroy());
      end.on('close', () => {
        open.delete(end);
        other.destroy();
      });
      end.pipe(other);
    }
  });
  line.listen(0, '127.0.0.1');
  await once(line, 'listening');

  const cut = () => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${portOf(line.address())}`,
    cut,
    mend: () => {
      isCut = false;
    },
    close: async () => {
      cut();
      line.close();
      await once(line, 'close');
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The line has no port.');
  return address.port;
}
