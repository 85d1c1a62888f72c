import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** Placeholder: no WebSocket yet; every handshake is told 404. */
export async function handleUpgrade(_request: IncomingMessage, socket: Duplex, _head: Buffer): Promise<void> {
  socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
}

/** Placeholder: no identity yet, so nobody is marked as local. */
export function stampPeer(_request: IncomingMessage): void {}

/** Placeholder: nothing is open yet. */
export async function close(): Promise<void> {}
