import type { Clock } from '../protocol/index.ts';
import type { Socket } from './socket.ts';

/**
 * Pings a socket, and drops it if the last ping was not answered: its peer may have vanished without closing.
 *
 * @returns ends the pings
 */
export function keepBeating(socket: Socket, clock: Clock, everyMs: number): () => void {
  let answered = true;
  let cancel = () => {};
  const beat = () => {
    if (!answered) {
      socket.terminate();
      return;
    }
    answered = false;
    socket.ping();
    cancel = clock.after(everyMs, beat);
  };
  socket.on('pong', () => {
    answered = true;
  });
  cancel = clock.after(everyMs, beat);
  return () => cancel();
}
