import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A network between a browser and a server that can fail: connections break, and new ones are refused. */
export type BreakableLine = {
  /** The URL for the browser. */
  readonly url: string;
  /** Breaks every connection and refuses new ones. */
  readonly cut: () => void;
  /** Accepts new connections again. @param url of the server from now on; by default the same one */
  readonly mend: (url?: string) => void;
  /** Keeps what is sent in one direction, until the line is let go or cut. What was kept when it is cut is lost. */
  readonly hold: (direction: 'requests' | 'replies') => void;
  readonly letGo: () => void;
  readonly close: () => Promise<void>;
};

/** Opens a connection to the server at `url` that forwards bytes unchanged, for HTTP and WebSocket. */
export async function layLine(url: string): Promise<BreakableLine> {
  let server = new URL(url);
  const open = new Set<Socket>();
  let isCut = false;
  let held: 'requests' | 'replies' | undefined;
  const kept: (() => void)[] = [];

  const line = createServer((near) => {
    near.on('error', () => near.destroy());
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(Number(server.port), server.hostname);
    for (const [end, other, direction] of [
      [near, far, 'requests'],
      [far, near, 'replies'],
    ] as const) {
      open.add(end);
      end.on('error', () => other.destroy());
      end.on('close', () => {
        open.delete(end);
        other.destroy();
      });
      end.on('data', (bytes) => {
        const forward = () => void (other.destroyed || other.write(bytes));
        if (held === direction) kept.push(forward);
        else forward();
      });
      end.on('end', () => other.end());
    }
  });
  line.listen(0, '127.0.0.1');
  await once(line, 'listening');

  const cut = () => {
    isCut = true;
    held = undefined;
    kept.length = 0;
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${portOf(line.address())}`,
    cut,
    mend: (to) => {
      isCut = false;
      if (to !== undefined) server = new URL(to);
    },
    hold: (direction) => {
      held = direction;
    },
    letGo: () => {
      held = undefined;
      for (const forward of kept.splice(0)) forward();
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
