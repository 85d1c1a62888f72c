import type { TextSocket } from '../server/text-socket.ts';

/** Close code of a socket whose session has ended. */
const sessionEnded = 4401;

/**
 * Closes a socket on which nobody is signed in any more. Runs go on.
 *
 * @source H3
 */
export function endSession(socket: Pick<TextSocket, 'close'>): void {
  socket.close(sessionEnded, 'The session has ended.');
}
