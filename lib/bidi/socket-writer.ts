import type { Socket } from './socket.ts';

/** Bytes that may wait in a socket before its streams pause. */
const highWaterBytes = 256 * 1024;

/** Bytes that leave at once, whatever else is being said. */
const joinedBytes = 4 * 1024;

/**
 * Sends one message, and resolves when the next one may follow: at once while the socket keeps up, or when this one
 * has left. So each stream of a slow reader holds one message at most, and memory stays flat.
 *
 * @throws Error when the socket closes while the message waits
 */
export type SendMessage = (text: string) => Promise<void>;

/** What lies below a socket: a stream that can hold its bytes back for a moment. */
export type Line = { cork(): void; uncork(): void };

/**
 * The way out of a socket. What is said in one go leaves in one write: a write of its own is most of what a short
 * message costs. Nothing waits longer than for the work at hand.
 */
export function createSocketWriter(socket: Socket, line: Line): SendMessage {
  let isHeld = false;

  function hold(): void {
    if (isHeld) return;
    isHeld = true;
    line.cork();
    // A tool may block the process in the next turn of the event loop. Its start has been sent by then.
    process.nextTick(release);
  }

  function release(): void {
    if (!isHeld) return;
    isHeld = false;
    line.uncork();
  }

  return async (text) => {
    hold();
    const left = Promise.withResolvers<void>();
    socket.send(text, (error) => (error ? left.reject(error) : left.resolve()));
    if (socket.bufferedAmount >= joinedBytes) release();
    if (socket.bufferedAmount > highWaterBytes) return left.promise;
    // Not waited for: a socket that fails also closes, and closing detaches its readers.
    left.promise.catch(() => {});
  };
}
