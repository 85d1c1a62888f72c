import { isCountersignError } from '../http/errors.ts';
import { principalOf, type ServerSettings } from '../http/route.ts';
import type { Logger } from '../vocabulary/index.ts';
import type { Socket } from './socket.ts';

/** Close code of a socket whose session has ended. */
const sessionEnded = 4401;

/**
 * Closes the socket if nobody is signed in on it any more. Counts against no rate limit.
 *
 * @source contract H3: "a session's end closes its sockets"
 */
export async function closeEndedSession(
  settings: ServerSettings,
  socket: Socket,
  handshake: Request,
): Promise<void> {
  const isEnded = await principalOf(settings, handshake)
    .then((principal) => principal === null)
    .catch((error: unknown) => isSessionEnd(error) || reportUnknown(error, settings.logger));
  if (isEnded) endSession(socket);
}

/** Closes a socket on which nobody is signed in any more. Runs go on. */
export function endSession(socket: Socket): void {
  socket.close(sessionEnded, 'The session has ended.');
}

/** Whether a refusal says that nobody is signed in. */
export function isSessionEnd(error: unknown): boolean {
  return isCountersignError(error) && error.code === 'unauthenticated';
}

/** A failure to find out is no end of a session. */
function reportUnknown(error: unknown, logger: Logger | undefined): false {
  logger?.error('A session could not be checked.', { error });
  return false;
}
