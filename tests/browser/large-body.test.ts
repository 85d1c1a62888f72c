// depends on: app/api app/v1 app/_server lib/server
import { beforeAll, describe, expect, it } from 'vitest';
import { rowsOfThisRun } from '../support/matrix.ts';
import { appUrlOfWorker } from './support/app-url.ts';

// The built app, over real HTTP: Next runs before the handlers and must neither cut a body nor refuse it.

const url = appUrlOfWorker();
const mebibyte = 1024 ** 2;

/** A body of exactly this many bytes of JSON. */
function bodyOf(fields: Readonly<Record<string, unknown>>, bytes: number): string {
  const empty = JSON.stringify({ ...fields, padding: '' });
  return JSON.stringify({ ...fields, padding: 'x'.repeat(bytes - empty.length) });
}

const id = `large-${crypto.randomUUID()}`;
const part = { type: 'text', text: 'What is the weather in Tokyo?' };

/** Every endpoint that accepts a body, and its response to one that is not too large. */
const endpoints: readonly [method: string, path: string, fields: object, status: number][] = [
  ['POST', '/api/chat', { id, message: { id: 'u1', role: 'user', parts: [part] } }, 200],
  ['PATCH', `/api/chat/${id}`, { title: 'Weather' }, 200],
  ['POST', '/api/chat/message', { message: part.text }, 200],
  ['POST', `/api/chat/${id}/outcomes/none`, { outcome: 'completed' }, 404],
  ['POST', '/api/approvals/none', { approved: false }, 404],
  ['POST', '/api/dialects/tool-events', { message: part.text }, 200],
  ['POST', '/api/session', { name: 'Ada' }, 200],
  ['POST', '/v1/responses', { input: part.text }, 200],
];

/** In `npm test`: a message, an answer, and the API of another vendor. What is too large is refused by all of them there. */
const acceptingOfThisRun = rowsOfThisRun(endpoints, ([, path]) =>
  ['/api/chat', '/api/approvals/none', '/v1/responses'].includes(path),
);

async function send(method: string, path: string, body: string) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}${path}`, { method, headers, body });
  return { status: response.status, text: await response.text() };
}

beforeAll(async () => {
  const message = { id: 'u1', role: 'user', parts: [part] };
  const { status } = await send('POST', '/api/chat', JSON.stringify({ id, message }));
  expect(status).toBe(200);
});

describe('every endpoint limits the size of a body', () => {
  it.each(acceptingOfThisRun)('%s %s accepts 12 MiB, and 16 MiB', async (method, path, fields, expected) => {
    for (const bytes of [12 * mebibyte, 16 * mebibyte]) {
      const { status, text } = await send(method, path, bodyOf({ ...fields }, bytes));
      expect([path, bytes, status], text.slice(0, 300)).toEqual([path, bytes, expected]);
    }
  });

  it.each(endpoints)('%s %s refuses one more byte with 413', async (method, path, fields) => {
    const { status, text } = await send(method, path, bodyOf({ ...fields }, 16 * mebibyte + 1));
    expect([path, status]).toEqual([path, 413]);
    expect(text).toContain(
      '"message":"The request is larger than 16777216 bytes. Send less, or raise `limits.bodyBytes` on the server."',
    );
  });
});
