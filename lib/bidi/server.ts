import type { ApprovalFlow } from '../flow/approval-flow.ts';
import { limitsOf } from '../server/chat-limits.ts';
import { withConcurrencyLimit } from '../server/concurrency-limit.ts';
import { checkServerSettings } from '../server/server-settings.ts';
import { serveConnection } from './connection.ts';
import { acceptSockets, type SocketServer, type SocketSettings } from './server-sockets.ts';

export { createSocketServer, type SocketServer, type SocketSettings } from './server-sockets.ts';

/** What `createBidiServer` takes. */
export type BidiSettings = Omit<SocketSettings, 'maxMessageBytes'> & {
  /** Most requests of one socket that may be open at once. Default 32. */
  readonly maxOpenRequests?: number;
};

/** @see createBidiServer */
export type BidiServer = SocketServer;

/**
 * The AI SDK's chat endpoint over a WebSocket, for an unmodified `WebSocketChatTransport` and for ours. One socket
 * carries many chats; each frame is authorized anew. A reader that leaves, or an `abort` frame, ends no run.
 *
 * @throws CountersignError `invalid-settings` for settings that are misspelt or of the wrong kind, and without
 * `authorize`; `internal` when the package `ws` is not installed
 * @source contract H3, H5
 */
export function createBidiServer(flow: ApprovalFlow, given: BidiSettings): BidiServer {
  checkServerSettings('createBidiServer', given);
  const settings = withConcurrencyLimit(given);
  const { maxOpenRequests = 32 } = settings;
  const limits = limitsOf(settings);
  return acceptSockets(settings, (socket, handshake, send) =>
    serveConnection(flow, { ...settings, limits, maxOpenRequests }, { socket, handshake, send }),
  );
}
