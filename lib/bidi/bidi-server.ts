import type { ApprovalFlow } from '../flow/approval-flow.ts';
import { withConcurrencyLimit } from '../server/limits/concurrency-limit.ts';
import { limitsOf } from '../server/limits/size-limits.ts';
import { createRepeatedAnswers } from '../server/repeats/repeated-answers.ts';
import { checkServerSettings } from '../server/server-settings.ts';
import { serveConnection } from './connection.ts';
import { acceptSockets, type SocketServer, type SocketSettings } from './server-sockets.ts';

/** Settings of `createBidiServer`. */
export type BidiSettings = Omit<SocketSettings, 'maxMessageBytes'> & {
  /** The most requests that one socket may have open at the same time. Default 32. */
  readonly maxOpenRequests?: number;
};

/** @see createBidiServer */
export type BidiServer = SocketServer;

/**
 * The AI SDK's chat endpoint over a WebSocket, for an unmodified `WebSocketChatTransport` and for ours. One socket
 * carries many chats. Each frame is authorized again. Disconnecting or an `abort` frame does not end the run.
 *
 * @throws CountersignError `invalid-settings` for settings that are misspelled or of the wrong type, and
 *   without `authorize`; `internal` when the package `ws` is not installed
 * @source H3, H5
 */
export function createBidiServer(flow: ApprovalFlow, given: BidiSettings): BidiServer {
  checkServerSettings('createBidiServer', given);
  const { maxOpenRequests = 32 } = given;
  const settings = {
    ...withConcurrencyLimit(given),
    limits: limitsOf(given),
    maxOpenRequests,
    repeated: createRepeatedAnswers(given, 'countersign/bidi'),
  };
  return acceptSockets(settings, (socket, handshake, send) =>
    serveConnection(flow, settings, { socket, handshake, send }),
  );
}
