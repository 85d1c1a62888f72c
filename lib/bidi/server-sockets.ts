import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { systemClock } from '../protocol/clock/system-clock.ts';
import { guardHandshake } from '../server/guard.ts';
import { createSessionWatch } from '../server/identity/session-watch.ts';
import { requestOf } from '../server/incoming-request.ts';
import { withConcurrencyLimit } from '../server/limits/concurrency-limit.ts';
import { limitsOf } from '../server/limits/size-limits.ts';
import { identify, type ServerSettings } from '../server/route.ts';
import { checkServerSettings } from '../server/server-settings.ts';
import type { OpenTextSession } from '../server/text-socket.ts';
import { endSession } from './close-when-session-ends.ts';
import { refuseUpgrade } from './handshake.ts';
import { keepBeating } from './heartbeat.ts';
import { loadSocketDriver } from './server-driver.ts';
import { type Socket, textOf } from './socket.ts';
import { createSocketWriter, type SendMessage } from './socket-writer.ts';

/** Settings of every socket server. */
export type SocketSettings = ServerSettings & {
  /** The largest message, in bytes; a larger one closes its socket (1009). Default `limits.bodyBytes`. */
  readonly maxMessageBytes?: number;
  /** Milliseconds between pings. Default 30,000. */
  readonly heartbeatMs?: number;
};

/** Accepts the sockets of one path. */
export type SocketServer = {
  /**
   * Takes an upgrade: refuses a foreign Origin or Host (403), strangers (401) and more sockets than a principal may have
   * (429) in plain HTTP, before anything is upgraded. Never rejects.
   */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  /** Closes all sockets (1001) and accepts no more. Runs continue. */
  close(): Promise<void>;
};

/**
 * Serves a protocol of text messages over WebSockets, with handshake, identity, heartbeat and limits. The protocol itself
 * does not depend on a socket library.
 *
 * @param open begins one socket's protocol; `handshake` is its upgrade request, which identifies the person
 * @throws CountersignError `invalid-settings` for settings that are misspelled or of the wrong type, and
 *   without `authorize`; `internal` when the package `ws` is not installed
 * @source H3, D1-D26
 */
export function createSocketServer(settings: SocketSettings, open: OpenTextSession): SocketServer {
  checkServerSettings('createSocketServer', settings);
  return acceptSockets(settings, (socket, handshake, send) => {
    const session = open({ send, close: (code, reason) => socket.close(code, reason) }, handshake);
    socket.on('message', (data, isBinary) => {
      // Ignores messages that arrive after the close.
      if (socket.readyState === socket.OPEN) session.receive(isBinary ? undefined : textOf(data));
    });
    return () => session.leave();
  });
}

/**
 * Accepts upgrades and keeps their sockets. The caller serves the protocol.
 *
 * @param onSocket returns what is called when the socket has closed
 */
export function acceptSockets(
  given: SocketSettings,
  onSocket: (socket: Socket, handshake: Request, send: SendMessage) => () => void,
): SocketServer {
  const settings = withConcurrencyLimit(given);
  const {
    clock = systemClock,
    heartbeatMs = 30_000,
    maxMessageBytes = limitsOf(settings).bodyBytes,
  } = settings;
  const { WebSocketServer } = loadSocketDriver();
  const server = new WebSocketServer({ noServer: true, clientTracking: true, maxPayload: maxMessageBytes });
  const watch = createSessionWatch(settings);
  const onError = (error: Error) => settings.logger?.warn('A socket failed.', { error });
  let isClosing = false;

  return {
    async handleUpgrade(request, socket, head) {
      // Until `ws` takes over, an unhandled error of the connection would crash the process.
      const ignore = () => {};
      socket.on('error', ignore);
      try {
        const handshake = requestOf(request);
        guardHandshake(handshake, settings);
        const principal = await identify(settings, handshake);
        keepPlace(socket, settings.concurrencyLimit.acquire('sockets', principal));
        if (isClosing) throw new Error('An upgrade came while the server was closing.');
        server.handleUpgrade(request, socket, head, (upgraded) => {
          // `ws` closes the socket itself, with the right code (1009 for too large a message).
          upgraded.on('error', onError);
          const leave = onSocket(upgraded, handshake, createSocketWriter(upgraded, socket));
          const endBeat = keepBeating(upgraded, clock, heartbeatMs);
          const endWatch = watch(handshake, () => endSession(upgraded));
          // One listener: a list of them is memory that each waiting socket holds.
          upgraded.on('close', () => {
            leave();
            endBeat();
            endWatch();
          });
        });
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

/** Releases a place when its connection has closed, for whatever reason. */
function keepPlace(socket: Duplex, release: () => void): void {
  socket.on('close', release);
  // The connection closed while the principal was looked up, so there is no further event.
  if (socket.closed) release();
}
