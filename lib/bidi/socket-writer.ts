import type { Socket } from './socket.ts';

/** Bytes that may wait in a socket before its streams wait: as many as in a response over HTTP on Node. */
const highWaterBytes = 64 * 1024;

const joinedBytes = 4 * 1024;

/**
 * Sends one message, and resolves when the next one may follow: immediately while the socket keeps up, otherwise when this
 * message was sent. So each stream of a slow reader buffers at most one message.
 *
 * @throws Error when the socket closes while the message waits
 */
export type SendMessage = (text: string) => Promise<void>;

/** The stream below a socket, which can buffer its bytes. */
export type Line = { cork(): void; uncork(): void };

/** Messages of one turn of the event loop share one write, which is most of the cost of a short message. */
export function createSocketWriter(socket: Socket, line: Line): SendMessage {
  let isCorked = false;

  function uncork(): void {
    if (!isCorked) return;
    isCorked = false;
    line.uncork();
  }

  return async (text) => {
    if (!isCorked) {
      isCorked = true;
      line.cork();
      // A tool may block the process in the next turn of the event loop. Its start has been sent by then.
      process.nextTick(uncork);
    }
    const left = Promise.withResolvers<void>();
    socket.send(text, (error) => (error ? left.reject(error) : left.resolve()));
    if (socket.bufferedAmount >= joinedBytes) uncork();
    if (socket.bufferedAmount > highWaterBytes) return left.promise;
    // Not awaited: a socket that fails also closes, and closing detaches its readers.
    left.promise.catch(() => {});
  };
}
