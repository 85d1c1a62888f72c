import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { serve } from '../../../lib/testing/server/serve.ts';

const readings: readonly [string, (request: Request) => unknown][] = [
  ['none', () => {}],
  ['the first part', (request) => request.body?.getReader().read()],
  ['all', (request) => request.text()],
];

it.each(readings)(
  'answers the next request of a connection after a response for which %s of the body was read',
  async (_name, read) => {
    const { url, close } = await serve({
      async fetch(request) {
        if (request.method === 'GET') return new Response('next');
        await read(request);
        return new Response('refused', { status: 413 });
      },
    });
    try {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      const body = 'x'.repeat(4_000_000);
      socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      expect(await text(socket)).toMatch(/413.*refused.*200.*next/s);
    } finally {
      await close();
    }
  },
  5_000,
);
