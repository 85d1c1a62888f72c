import { tool } from 'ai';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { serveAppRoutes } from '../../support/serve-app-routes.ts';
import { connectRawSocket } from './support/raw-socket.ts';
import { serveDialects } from './support/serve-dialects.ts';

// A program on bare TCP, without a WebSocket library.

async function readTurn(socket: Awaited<ReturnType<typeof connectRawSocket>>) {
  const frames = [await socket.receive()];
  while (frames.at(-1)?.type !== 'complete') frames.push(await socket.receive());
  return frames;
}

it('reads a turn, resumes it on another connection, and fetches what was cut [D2, D9, D15, D19]', async () => {
  const value = {
    at: new Date(0),
    tags: new Set(['😀', 'x\ud83d']),
    count: new Map([['n', 2n]]),
    raw: new Uint8Array([1]),
  };
  const json = { at: '1970-01-01T00:00:00.000Z', tags: ['😀', 'x\ufffd'], count: { n: '2' }, raw: [1] };
  const give = tool({ inputSchema: z.object({}), execute: async (): Promise<unknown> => value });
  const { url } = await serveDialects(
    [[{ call: 'give', id: 'a' }], [{ text: ['Given \ud83d', '\ude00.'] }]],
    {
      tools: { give },
      maxResultBytes: 20,
    },
  );
  const socket = await connectRawSocket(url);
  expect(socket.status).toBe(101);
  socket.send({ type: 'message', content: 'Give' });
  const frames = await readTurn(socket);
  const { conversation_id, message_id } = frames.at(-1) ?? {};
  expect(frames.map(({ type }) => type)).toEqual([
    'started',
    'tool_start',
    'tool_complete',
    'token',
    'complete',
  ]);
  for (const frame of frames) expect(frame).toMatchObject({ conversation_id, message_id });
  expect(frames[3]).toMatchObject({ content: 'Given 😀.' });
  const whole = JSON.stringify(json);
  expect(frames[2]).toMatchObject({ truncated: true, original_length: Buffer.byteLength(whole) });
  const result = await fetch(`${url}/api/chat/${conversation_id}/tool-results/a`);
  expect((await result.json()).output).toEqual(json);

  const again = await connectRawSocket(url);
  again.send({ type: 'resume', conversation_id });
  const [started, ...rest] = await readTurn(again);
  expect(started).toEqual({ ...frames[0], replay: true });
  expect(rest).toEqual(frames.slice(1));
});

it('fetches the result of a call with the key or the cookie of its socket, and with no other [D19, S12]', async () => {
  const key = 'the-key-of-bens-program';
  const app = await serveAppRoutes({ COUNTERSIGN_API_KEYS: `ben:${key}` });
  const [cookie, foreign] = [await app.signIn({ name: 'Ada' }), await app.signIn({ name: 'Eve' })];
  const credentials: Record<string, string>[] = [{ authorization: `Bearer ${key}` }, { cookie }];
  for (const headers of credentials) {
    const socket = await connectRawSocket(app.url, headers);
    socket.send({ type: 'message', content: 'multiply 5 and 4' });
    const frames = await readTurn(socket);
    const { conversation_id, tool_call_id } = frames.find(({ type }) => type === 'tool_complete') ?? {};
    const path = `/api/chat/${conversation_id}/tool-results/${tool_call_id}`;
    const { status, text } = await app.send('GET', path, headers);
    expect([status, JSON.parse(text)]).toMatchObject([
      200,
      { toolCallId: tool_call_id, toolName: 'multiply' },
    ]);
    expect((await app.send('GET', path, { cookie: foreign })).status).toBe(404);
    expect((await app.send('GET', path, { authorization: 'Bearer wrong' })).status).toBe(401);
  }
});
