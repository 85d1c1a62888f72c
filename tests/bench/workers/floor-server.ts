import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createUIMessageStreamResponse, toUIMessageStream, type WebSocketChatTransportResponse } from 'ai';
import pg from 'pg';
import { type WebSocket, WebSocketServer } from 'ws';
import { serve } from '../../../lib/testing/server/serve.ts';
import { createBareChats } from '../support/bare-chats.ts';
import type { Durable } from '../support/contestant.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { offer } from '../support/worker-process.ts';

/** What a client of ours sends, as far as it matters here. */
type Request = { readonly id: string; readonly message?: unknown };
type Frame = { readonly requestId: string; readonly id: string; readonly body: Omit<Request, 'id'> };
type Part = ReturnType<typeof chats.step> extends ReadableStream<infer Chunk> ? Chunk : never;
type Respond = (request: Request) => Promise<ReturnType<typeof toUIMessageStream>>;

/**
 * An answer without anything that could be left out: a request of our own client, which is durable before the model is
 * asked, a bare `streamText` step on a prompt that is there already, and its response, which tells nobody of a question
 * that is not durable. As many writes as ours has, of as many bytes.
 */
const chats = createBareChats();

offer({
  /** @param durable of each response @param connectionString of a Postgres server; without one, SQLite @returns its address */
  async open(durable: Durable, connectionString?: string): Promise<string> {
    const row = 'x'.repeat(durable.bytesEach);
    const respond = connectionString
      ? respondOnPostgres(durable, await openPostgres(connectionString, row))
      : respondOnSqlite(durable, openSqlite(row));
    const sockets = new WebSocketServer({ noServer: true });
    sockets.on('connection', (socket) => {
      socket.on('message', (data) => void answerFrame(socket, JSON.parse(String(data)), respond));
    });
    const { url } = await serve({
      fetch: async (request) =>
        createUIMessageStreamResponse({ stream: await respond((await request.json()) as Request) }),
      upgrade: (request, socket, head) =>
        sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit('connection', opened)),
    });
    return url;
  },

  seed: (id: string, messages: number) => chats.seed(id, messages),
});

function openSqlite(row: string): () => void {
  const db = new DatabaseSync(join(temporaryFolder(), 'floor.sqlite'));
  db.exec('pragma journal_mode=wal; pragma synchronous=full; create table floor (body text not null) strict');
  const insert = db.prepare('insert into floor values (?)');
  return () => void insert.run(row);
}

async function openPostgres(connectionString: string, row: string): Promise<() => Promise<void>> {
  const pool = new pg.Pool({ connectionString, max: 10 });
  await pool.query('create table if not exists floor_answers (body text not null)');
  return async () => {
    await pool.query({ name: 'floor', text: 'insert into floor_answers values ($1)', values: [row] });
  };
}

function respondOnSqlite({ writes }: Durable, write: () => void): Respond {
  return async ({ id, message }) => {
    write();
    let written = 1;
    return toUIMessageStream({
      stream: chats.step(id, message === undefined ? 'result' : 'words'),
      // Asked of each part before anything of it is sent: the one place to write in that costs no stream of its own.
      messageMetadata({ part }) {
        if (isWrittenFirst(part)) for (; written < writes; written += 1) write();
        return undefined;
      },
    });
  };
}

/** A commit is waited for, so the parts go through a stream of its own. */
function respondOnPostgres({ writes }: Durable, write: () => Promise<void>): Respond {
  return async ({ id, message }) => {
    await write();
    let written = 1;
    const parts = chats.step(id, message === undefined ? 'result' : 'words');
    const durable = new TransformStream<Part, Part>({
      async transform(part, controller) {
        if (isWrittenFirst(part)) for (; written < writes; written += 1) await write();
        controller.enqueue(part);
      },
    });
    return toUIMessageStream({ stream: parts.pipeThrough(durable) });
  };
}

/** Whether this tells somebody of what must be durable by then. */
function isWrittenFirst({ type }: { readonly type: string }): boolean {
  return type === 'tool-approval-request' || type === 'finish-step';
}

async function answerFrame(socket: WebSocket, frame: Frame, respond: Respond): Promise<void> {
  const { requestId, id, body } = frame;
  const send = (response: WebSocketChatTransportResponse) => socket.send(JSON.stringify(response));
  let sequence = 0;
  send({ type: 'start', requestId });
  for await (const chunk of await respond({ id, ...body })) {
    send({ type: 'chunk', requestId, sequence, chunk });
    sequence += 1;
  }
  send({ type: 'end', requestId });
}
