import { connect, type Socket } from 'node:net';
import type { Reading } from '../wires.ts';

const endOfHead = Buffer.from('\r\n\r\n');

/**
 * A reader of a stream that takes bytes from the connection and parses nothing: a thousand of them fit into one process.
 *
 * @param onBytes gets the bytes of the body, with the framing of HTTP or of the socket
 * @returns its connection, once the server has accepted the request
 */
export function openRawReader(
  url: string,
  { path, frame }: Reading,
  onBytes: (bytes: Buffer) => void,
): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect(Number(port), hostname);
  let head: Buffer | undefined = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n${frame === undefined ? '' : upgrade}\r\n`);
  socket.on('data', (bytes) => {
    if (!head) return onBytes(bytes);
    head = Buffer.concat([head, bytes]);
    const end = head.indexOf(endOfHead);
    if (end === -1) return;
    const [status = ''] = head.toString('latin1').split('\r\n', 1);
    if (!/^HTTP\/1.1 (200|101) /.test(status)) reject(new Error(`${path} was answered with ${status}.`));
    if (frame !== undefined) socket.write(clientFrame(frame));
    const body = head.subarray(end + endOfHead.length);
    head = undefined;
    resolve(socket);
    onBytes(body);
  });
  socket.once('error', reject);
  return promise;
}

const upgrade = [
  'connection: Upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}`,
  '',
].join('\r\n');

/** A text frame of a client. A mask of zeros leaves the text as it is. */
function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(8);
  head[0] = 0x81;
  head[1] = 0x80 | 126;
  head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}
