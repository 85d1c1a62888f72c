import { formatFrame, type ServerFrame } from './frames.ts';
import type { Socket } from './socket.ts';

/** Bytes that may wait in a socket before its streams pause. */
const highWaterBytes = 256 * 1024;

/**
 * Sends a frame, and resolves when the next one may follow: at once while the socket keeps up, or when this frame
 * has left. So each stream of a slow reader holds one frame at most, and memory stays flat.
 *
 * @throws Error when the socket closes while the frame waits
 */
export async function sendFrame(socket: Socket, frame: ServerFrame): Promise<void> {
  return sendText(socket, formatFrame(frame));
}

/** Sends one message likewise. @see sendFrame */
export async function sendText(socket: Socket, text: string): Promise<void> {
  const left = Promise.withResolvers<void>();
  socket.send(text, (error) => (error ? left.reject(error) : left.resolve()));
  if (socket.bufferedAmount > highWaterBytes) return left.promise;
  // Not waited for: a socket that fails also closes, and closing detaches its readers.
  left.promise.catch(() => {});
}
