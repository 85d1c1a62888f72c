import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createUIMessageStreamResponse, toUIMessageStream, type WebSocketChatTransportResponse } from 'ai';
import { type WebSocket, WebSocketServer } from 'ws';
import { serve } from '../../../lib/testing/server/serve.ts';
import { createBareChats } from '../support/bare-chats.ts';
import type { Durable } from '../support/contestant.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { offer } from '../support/worker-process.ts';

/** What a client of ours sends, as far as it matters here. */
type Request = { readonly id: string; readonly message?: unknown };
type Frame = { readonly requestId: string; readonly id: string; readonly body: Omit<Request, 'id'> };
type Respond = (request: Request) => ReturnType<typeof toUIMessageStream>;

/**
 * An answer without anything that could be left out: a request of our own client, which is durable before the model is
 * asked, a bare `streamText` step on a prompt that is there already, and its response, which tells nobody of a question
 * that is not durable. As many writes as ours has, of as many bytes.
 */
const chats = createBareChats();

offer({
  /** @param durable of each response @returns its address */
  async open(durable: Durable): Promise<string> {
    const db = new DatabaseSync(join(temporaryFolder(), 'floor.sqlite'));
    db.exec(
      'pragma journal_mode=wal; pragma synchronous=full; create table floor (body text not null) strict',
    );
    const insert = db.prepare('insert into floor values (?)');
    const row = 'x'.repeat(durable.bytesEach);
    const respond: Respond = ({ id, message }) => {
      insert.run(row);
      let written = 1;
      return toUIMessageStream({
        stream: chats.step(id, message === undefined ? 'result' : 'words'),
        // Asked of each part before anything of it is sent: the one place to write in that costs no stream of its own.
        messageMetadata({ part }) {
          if (part.type !== 'tool-approval-request' && part.type !== 'finish-step') return undefined;
          for (; written < durable.writes; written += 1) insert.run(row);
          return undefined;
        },
      });
    };
    const sockets = new WebSocketServer({ noServer: true });
    sockets.on('connection', (socket) => {
      socket.on('message', (data) => void answerFrame(socket, JSON.parse(String(data)), respond));
    });
    const { url } = await serve({
      fetch: async (request) =>
        createUIMessageStreamResponse({ stream: respond((await request.json()) as Request) }),
      upgrade: (request, socket, head) =>
        sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit('connection', opened)),
    });
    return url;
  },

  seed: (id: string, messages: number) => chats.seed(id, messages),
});

async function answerFrame(socket: WebSocket, frame: Frame, respond: Respond): Promise<void> {
  const { requestId, id, body } = frame;
  const send = (response: WebSocketChatTransportResponse) => socket.send(JSON.stringify(response));
  let sequence = 0;
  send({ type: 'start', requestId });
  for await (const chunk of respond({ id, ...body })) {
    send({ type: 'chunk', requestId, sequence, chunk });
    sequence += 1;
  }
  send({ type: 'end', requestId });
}
