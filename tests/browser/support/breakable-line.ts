import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network between a browser and a server that can fail: connections break, and new ones are refused. */
export type BreakableLine = {
  /** The URL for the browser. */
  readonly url: string;
  /** Breaks every connection and refuses new ones. */
  readonly cut: () => void;
  /** Accepts new connections again. */
  readonly mend: () => void;
  readonly close: () => Promise<void>;
};

/** Opens a connection to the server at `url` that forwards bytes unchanged, for HTTP and WebSocket. */
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
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return address.port;
}
