import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * A chat socket's client on bare TCP, as a program without a WebSocket library would write it: the handshake, masked text
 * frames of less than 64 KiB, and unfragmented text frames of the server.
 */
export async function connectRawSocket(url: string, headers: Readonly<Record<string, string>> = {}) {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const lines = [
    'GET /api/dialects/chat-socket HTTP/1.1',
    `Host: ${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const bytes = socket[Symbol.asyncIterator]();
  let buffer = Buffer.alloc(0);

  async function take(count: number): Promise<Buffer> {
    while (buffer.length < count) {
      const { value, done } = await bytes.next();
      if (done) throw new Error('The server closed the connection.');
      buffer = Buffer.concat([buffer, value]);
    }
    const taken = buffer.subarray(0, count);
    buffer = buffer.subarray(count);
    return taken;
  }

  let head = '';
  while (!head.endsWith('\r\n\r\n')) head += await take(1);

  return {
    /** Of the handshake. */
    status: Number(head.split(' ')[1]),

    send(frame: object): void {
      const payload = Buffer.from(JSON.stringify(frame));
      const length =
        payload.length < 126 ? [0x80 | payload.length] : [0xfe, payload.length >> 8, payload.length & 0xff];
      const mask = randomBytes(4);
      const masked = payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
      socket.write(Buffer.concat([Buffer.from([0x81, ...length]), mask, masked]));
    },

    /** The next text frame. @throws TypeError for bytes that are not UTF-8 */
    async receive(): Promise<Record<string, unknown>> {
      for (;;) {
        const [first = 0, second = 0] = await take(2);
        const size = second & 0x7f;
        const length =
          size === 126
            ? (await take(2)).readUInt16BE()
            : size === 127
              ? Number((await take(8)).readBigUInt64BE())
              : size;
        const payload = await take(length);
        if (first === 0x81) return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
      }
    },
  };
}
