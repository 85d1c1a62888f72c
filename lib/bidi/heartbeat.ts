import type { Clock } from '../protocol/index.ts';
import type { Socket } from './socket.ts';

/**
 * Pings a socket now and then, and drops it when no answer came until the next time: a peer that vanished without
 * closing would otherwise keep its readers for ever.
 *
 * @param everyMs milliseconds between pings
 */
export function keepBeating(socket: Socket, clock: Clock, everyMs: number): void {
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
  socket.on('close', () => cancel());
  cancel = clock.after(everyMs, beat);
}
