import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  convertToModelMessages,
  createUIMessageStreamResponse,
  type ModelMessage,
  streamText,
  tool,
  toUIMessageStream,
  type WebSocketChatTransportResponse,
} from 'ai';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { serve } from '../../../lib/testing/serve.ts';
import { historyMessages } from '../support/history.ts';
import { paymentModel } from '../support/payment-model.ts';
import { nextReply, wordsFor } from '../support/payment-script.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { offer } from '../support/worker-process.ts';

/** What a client of ours sends, as far as it matters here. */
type Request = { readonly id: string; readonly message?: unknown };

/** A chat in memory: what the model is told, and how many results came since the person's last words. */
type Chat = { readonly history: readonly ModelMessage[]; results: number };

/**
 * An answer without anything that could be left out: a request of our own client, as many durable writes as ours has, a
 * bare `streamText` step on a prompt that is there already, its response. Nothing is checked, kept or run.
 */
const model = paymentModel();
const tools = { pay: tool({ inputSchema: z.object({ recipient: z.string() }) }) };
const histories = new Map<number, readonly ModelMessage[]>();
const chats = new Map<string, Chat>();
const row = 'x'.repeat(200);

offer({
  /** @param durableWrites before each response @returns its address */
  async open(durableWrites: number): Promise<string> {
    const db = new DatabaseSync(join(temporaryFolder(), 'floor.sqlite'));
    db.exec(
      'pragma journal_mode=wal; pragma synchronous=full; create table floor (body text not null) strict',
    );
    const insert = db.prepare('insert into floor values (?)');
    const respond = (request: Request) => {
      for (let write = 0; write < durableWrites; write += 1) insert.run(row);
      const { stream } = streamText({
        model,
        tools,
        messages: promptFor(request),
        toolApproval: { pay: 'user-approval' },
      });
      return toUIMessageStream({ stream });
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

  /** A chat of so many messages. */
  async seed(id: string, messages: number): Promise<void> {
    const history = histories.get(messages) ?? (await convertToModelMessages(historyMessages(messages)));
    histories.set(messages, history);
    // Each chat is its own in memory, as it is in a server that has it from somewhere.
    chats.set(id, { history: structuredClone(history), results: 0 });
  },
});

type Frame = { readonly requestId: string; readonly id: string; readonly body: Omit<Request, 'id'> };

async function answerFrame(
  socket: WebSocket,
  { requestId, id, body }: Frame,
  respond: (request: Request) => ReturnType<typeof toUIMessageStream>,
): Promise<void> {
  const send = (frame: WebSocketChatTransportResponse) => socket.send(JSON.stringify(frame));
  let sequence = 0;
  send({ type: 'start', requestId });
  for await (const chunk of respond({ id, ...body }))
    send({ type: 'chunk', requestId, sequence: sequence++, chunk });
  send({ type: 'end', requestId });
}

/** The history, the person's words, and each call so far with its result. */
function promptFor({ id, message }: Request): ModelMessage[] {
  const chat = chats.get(id) ?? { history: [], results: 0 };
  chats.set(id, chat);
  chat.results = message === undefined ? chat.results + 1 : 0;
  const words = wordsFor('chain', id);
  const told = Array.from({ length: chat.results }, (_, results) => nextReply(words, results)).flatMap(
    ({ text, calls }): ModelMessage[] => [
      {
        role: 'assistant',
        content: [
          { type: 'text', text: String(text) },
          ...calls.map(({ id: toolCallId, recipient }) => ({
            type: 'tool-call' as const,
            toolCallId,
            toolName: 'pay',
            input: { recipient },
          })),
        ],
      },
      {
        role: 'tool',
        content: calls.map(({ id: toolCallId }) => ({
          type: 'tool-result',
          toolCallId,
          toolName: 'pay',
          output: { type: 'json', value: { status: 'paid' } },
        })),
      },
    ],
  );
  return [...chat.history, { role: 'user', content: words }, ...told];
}
