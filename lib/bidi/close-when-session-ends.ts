import type { TextSocket } from '../server/text-socket.ts';

/** Close code of a socket whose session has ended. */
const sessionEnded = 4401;

/** Closes a socket whose session has ended. Runs continue. @source H3 */
export function endSession(socket: Pick<TextSocket, 'close'>): void {
  socket.close(sessionEnded, 'The session has ended.');
}
