import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from '../protocol/index.ts';
import { toErrorJson } from '../server/errors.ts';

/** Refuses an upgrade in plain HTTP, with the error as JSON, and closes. @source H3, H-Errors */
export function refuseUpgrade(socket: Duplex, error: unknown, logger?: Logger): void {
  const { status, headers, body } = toErrorJson(error, logger);
  const text = JSON.stringify(body);
  // Otherwise a peer that never closes its side keeps the connection.
  socket.once('finish', () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'connection: close',
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(text)}`,
      'x-content-type-options: nosniff',
      'cache-control: no-store',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '',
      text,
    ].join('\r\n'),
  );
}
