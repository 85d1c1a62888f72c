import { EventEmitter } from 'node:events';
import { type Socket, textOf } from '../../../lib/bidi/socket.ts';
import type { SendMessage } from '../../../lib/bidi/socket-writer.ts';
import type { OpenTextSession } from '../../../lib/server/text-socket.ts';
import type { SimProcess } from './process.ts';
import type { World } from './world.ts';

/** The client's end of an in-memory socket. */
export type ClientSocket = {
  readonly isOpen: boolean;
  send(text: string): void;
  close(): void;
  /** Set by the reader. Called for each message, and once when the socket has closed. */
  onMessage: (text: string) => void;
  onClose: (code: number) => void;
};

const open = 1;
const closed = 3;

/** How long a message to a slow reader takes, in virtual milliseconds, and the bytes that wait for it meanwhile. */
const slow = { ms: 40, bytes: 1_000_000 };

/** A socket between a client and one process: ordered and reliable, until it closes or the process dies. */
export function socketPair(
  world: World,
  process: SimProcess,
  { isSlow = false } = {},
): { server: Socket; client: ClientSocket } {
  const server = new EventEmitter();
  let readyState = open;

  function shut(code: number): void {
    if (readyState === closed) return;
    readyState = closed;
    world.after(1, () => client.onClose(code));
    process.after(0, () => void server.emit('close'));
  }

  const client: ClientSocket = {
    get isOpen() {
      return readyState === open;
    },
    send(text) {
      process.after(1, () => {
        if (readyState === open) server.emit('message', Buffer.from(text), false);
      });
    },
    close: () => shut(1000),
    onMessage: () => {},
    onClose: () => {},
  };
  void process.died.then(() => shut(1006));

  return {
    client,
    server: Object.assign(server, {
      get readyState() {
        return readyState;
      },
      OPEN: open,
      bufferedAmount: isSlow ? slow.bytes : 0,
      send(text: string, sent: (error?: Error) => void) {
        if (readyState !== open) return sent(new Error('The socket has closed.'));
        world.after(isSlow ? slow.ms : 1, () => {
          if (readyState === open) client.onMessage(text);
          sent();
        });
      },
      ping: () => process.after(1, () => void server.emit('pong')),
      close: (code: number) => shut(code),
      terminate: () => shut(1006),
    }) as unknown as Socket,
  };
}

/** Serves a protocol of text messages on a socket, as `createSocketServer` does. */
export function serveTexts(
  socket: Socket,
  handshake: Request,
  { open, send }: { readonly open: OpenTextSession; readonly send: SendMessage },
): void {
  const session = open({ send, close: (code, reason) => socket.close(code, reason) }, handshake);
  socket.on('message', (data, isBinary) => session.receive(isBinary ? undefined : textOf(data)));
  socket.on('close', () => session.leave());
}
