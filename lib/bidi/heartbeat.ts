import type { Clock } from '../vocabulary/index.ts';
import type { Socket } from './socket.ts';

/**
 * Pings a socket now and then, and drops it when no answer came until the next time: a peer that vanished without
 * closing would otherwise keep its readers for ever.
 *
 * @param everyMs milliseconds between pings
 * @param onBeat called at each beat of a living socket
 */
export function keepBeating(
  socket: Socket,
  clock: Clock,
  everyMs: number,
  onBeat: () => void = () => {},
): void {
  let answered = true;
  let cancel = () => {};
  const beat = () => {
    if (!answered) {
      socket.terminate();
      return;
    }
    answered = false;
    socket.ping();
    onBeat();
    cancel = clock.after(everyMs, beat);
  };
  socket.on('pong', () => {
    answered = true;
  });
  socket.on('close', () => cancel());
  cancel = clock.after(everyMs, beat);
}
