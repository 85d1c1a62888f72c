import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ApprovalFlow } from '../flow/types.ts';
import { type ChatLimits, defaultChatLimits } from '../http/chat-request.ts';
import { guardHandshake } from '../http/guard.ts';
import { identify, type ServerSettings } from '../http/route.ts';
import { systemClock } from '../http/system-clock.ts';
import { serveConnection } from './connection.ts';
import { handshakeRequest, refuseUpgrade } from './handshake.ts';
import { keepBeating } from './heartbeat.ts';
import { closeEndedSession } from './session-end.ts';

/** What `createBidiServer` takes. */
export type BidiSettings = ServerSettings & {
  readonly limits?: Partial<ChatLimits>;
  /** Most requests of one socket that may be open at once. Default 32. */
  readonly maxOpenRequests?: number;
  /** Milliseconds between pings, and between looks whether the session still stands. Default 30,000. */
  readonly heartbeatMs?: number;
};

/** @see createBidiServer */
export type BidiServer = {
  /**
   * Takes an upgrade: refuses a foreign Origin or Host (403) and strangers (401) in plain HTTP, before anything is
   * upgraded. Never rejects.
   */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  /** Closes all sockets (1001) and takes no more. Runs go on. */
  close(): Promise<void>;
};

/**
 * The AI SDK's chat endpoint over a WebSocket, for an unmodified `WebSocketChatTransport` and for ours. One socket
 * carries many chats; each frame is authorized anew. A reader that leaves, or an `abort` frame, ends no run.
 *
 * @source contract H3, H5
 */
export function createBidiServer(flow: ApprovalFlow, settings: BidiSettings): BidiServer {
  const { clock = systemClock, heartbeatMs = 30_000, maxOpenRequests = 32 } = settings;
  const limits = { ...defaultChatLimits, ...settings.limits };
  const server = new WebSocketServer({ noServer: true, clientTracking: true, maxPayload: limits.bodyBytes });
  let isClosing = false;

  function onConnection(socket: WebSocket, handshake: Request): void {
    // `ws` closes the socket by itself, with the fitting code (1009 for over-size); there is nothing else to do.
    socket.on('error', (error) => settings.logger?.warn('A socket failed.', { error }));
    serveConnection(flow, { ...settings, limits, maxOpenRequests }, socket, handshake);
    keepBeating(socket, clock, heartbeatMs, () => void closeEndedSession(settings, socket, handshake));
  }

  return {
    async handleUpgrade(request, socket, head) {
      // Until `ws` takes over, a peer that goes away would otherwise crash the process.
      const ignore = () => {};
      socket.on('error', ignore);
      try {
        const handshake = handshakeRequest(request);
        guardHandshake(handshake, settings);
        await identify(settings, handshake);
        if (isClosing) throw new Error('An upgrade came while the server was closing.');
        server.handleUpgrade(request, socket, head, (upgraded) => onConnection(upgraded, handshake));
        socket.off('error', ignore);
      } catch (error) {
        refuseUpgrade(socket, error, settings.logger);
      }
    },
    async close() {
      isClosing = true;
      const open = [...server.clients];
      const closed = open.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      for (const socket of open) socket.close(1001, 'The server is going away.');
      // A peer that does not answer the close is dropped.
      const cancel = clock.after(1_000, () => {
        for (const socket of open) socket.terminate();
      });
      await Promise.all(closed);
      cancel();
      server.close();
    },
  };
}
