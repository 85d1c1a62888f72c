import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { collect } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { messageOf } from '../support/client-message.ts';
import { rowsOfThisRun } from '../support/matrix.ts';
import { modes } from '../support/modes.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { rawChat } from '../support/raw-client.ts';
import { countsOf } from './support/counts.ts';
import { storeRows } from './support/databases.ts';
import { speakAtLength } from './support/lingering.ts';
import { startServer } from './support/server-process.ts';

const readers = 40;
const megabyte = 1024 ** 2;
const count = countsOf('Backpressure', 'readers that stopped', 'megabytes not read', 'megabytes grown');
const postgres = setUpPostgres();

const statusLine = 'HTTP/1.1 200 OK';

/** A reader of a chat that requests a response and stops reading. Resolves when the response has started. */
type Stall = (url: string, chatId: string) => Promise<void>;

const stallSse: Stall = async (url, chatId) => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.write(`GET /api/chat/${chatId}/stream HTTP/1.1\r\nhost: ${hostname}:${port}\r\n\r\n`);
  await once(socket, 'readable');
  expect(String(socket.read(statusLine.length))).toBe(statusLine);
};

const stallBidi: Stall = async (url, chatId) => {
  const socket = new WebSocket(`${url.replace('http:', 'ws:')}/api/chat/socket`);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'resume', requestId: 'stalled', id: chatId, headers: {}, body: {} }));
  const [frame] = await once(socket, 'message');
  socket.pause();
  expect(JSON.parse(String(frame))).toMatchObject({ type: 'start' });
};

const stalls: Record<'SSE' | 'BIDI', Stall> = { SSE: stallSse, BIDI: stallBidi };
const rows = storeRows(postgres).flatMap(([store, create]) =>
  modes.map(([mode, connectRaw]) => ({ store, mode, create, connectRaw })),
);

describe('Readers that stop reading', () => {
  it.each(rowsOfThisRun(rows, ({ store, mode }) => store === 'SQLite' && mode === 'SSE'))(
    'cost little, and slow down no other reader: $mode, $store',
    async ({ mode, create, connectRaw }) => {
      const database = await create();
      const server = await startServer({ database, effects: join(database.folder, 'effects') });
      onTestFinished(async () => {
        await server.kill();
        await database.remove();
      });
      const client = await connectRaw(server.url);
      const long = await rawChat(client, 'long').say(speakAtLength);
      const owed = readers * JSON.stringify(long).length;
      // What one whole reader costs is paid before, so that what is measured is the stalled ones.
      expect(await rawChat(client, 'long').resume()).not.toBeNull();
      const before = await server.memory();

      await Promise.all(Array.from({ length: readers }, () => stalls[mode](server.url, 'long')));
      const whole = await rawChat(await connectRaw(server.url), 'long').resume();
      if (!whole) throw new Error('The finished turn is no longer replayed.');
      expect(await messageOf(whole)).toEqual(await messageOf(long));
      const short = await client.open({ id: 'short', message: rawChat(client).userMessage('Hello.') });
      expect((await collect(short)).at(-1)).toMatchObject({ type: 'finish' });

      const grown = (await server.memory()) - before;
      count('readers that stopped', readers);
      count('megabytes not read', Math.round(owed / megabyte));
      count('megabytes grown', Math.round(grown / megabyte));
      // Each has read what the network's own buffers take, some megabytes, and costs as much; nothing is read ahead.
      expect(owed / readers).toBeGreaterThan(24 * megabyte);
      expect(grown / readers).toBeLessThan(12 * megabyte);
    },
  );
});
