import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  convertToModelMessages,
  type InferUIMessageChunk,
  isStepCount,
  type LanguageModel,
  streamText,
  tool,
  toUIMessageStream,
  type UIMessage,
} from 'ai';
import { z } from 'zod';
import type { Contestant, ContestantSettings } from '../support/contestant.ts';
import { paymentModel } from '../support/payment-model.ts';
import { type Till, wordsFor } from '../support/payment-script.ts';

/** One request as `DefaultChatTransport` sends it. */
export type PlainRequest = { readonly id: string; readonly messages: UIMessage[] };

/**
 * A chat route as the SDK's own pages write it (message persistence, tool execution approval): the client sends the
 * whole chat, and the server saves the whole chat when a response ends.
 *
 * @param path of the SQLite file: WAL, `synchronous=FULL`, as our own store
 */
export function createPlainServer(path: string, till: Till, model: LanguageModel = paymentModel()) {
  const db = new DatabaseSync(path);
  db.exec('pragma journal_mode=wal; pragma synchronous=full');
  db.exec('create table if not exists chats (id text primary key, messages text not null) strict');
  const save = db.prepare(
    'insert into chats values (?, ?) on conflict (id) do update set messages = excluded.messages',
  );
  const tools = {
    pay: tool({
      inputSchema: z.object({ recipient: z.string() }),
      execute: ({ recipient }) => till.pay(recipient),
    }),
  };
  return {
    async respond(
      { id, messages }: PlainRequest,
      onSaved: (messages: UIMessage[]) => void = () => {},
    ): Promise<ReadableStream<InferUIMessageChunk<UIMessage>>> {
      const result = streamText({
        model,
        messages: await convertToModelMessages(messages),
        tools,
        toolApproval: { pay: 'user-approval' },
        stopWhen: isStepCount(20),
        // What fails reaches the client as a chunk; the default prints it, too.
        onError: () => {},
      });
      return toUIMessageStream({
        stream: result.stream,
        originalMessages: messages,
        generateMessageId: () => crypto.randomUUID(),
        onEnd: (end) => {
          save.run(id, JSON.stringify(end.messages));
          onSaved(end.messages);
        },
      });
    },
    close: () => db.close(),
  };
}

/** Plain `ai`. The client's copy of the chat is taken from the server: folding chunks is not counted against it. */
export async function openPlainAi({ folder, till }: ContestantSettings): Promise<Contestant> {
  const server = createPlainServer(join(folder, 'plain-ai.sqlite'), till);
  return {
    chat(id) {
      let messages: UIMessage[] = [];
      // An answer that is sent again is the request that was sent: the whole chat as it was then.
      const sent = new Map<string, UIMessage[]>();
      const send = async (next: UIMessage[]) => {
        for await (const chunk of await server.respond({ id, messages: next }, (saved) => (messages = saved)))
          if (chunk.type === 'error') throw new Error(chunk.errorText);
        return openQuestions(messages);
      };
      return {
        begin: (task) =>
          send([{ id: `${id}-message`, role: 'user', parts: [{ type: 'text', text: wordsFor(task, id) }] }]),
        answer(question) {
          const request = sent.get(question) ?? answered(messages, question);
          sent.set(question, request);
          return send(request);
        },
      };
    },
    async close() {
      server.close();
    },
  };
}

/** The chat as a client holds it that has just said yes. */
export function answered(messages: readonly UIMessage[], approvalId: string): UIMessage[] {
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) =>
      'approval' in part && part.state === 'approval-requested' && part.approval.id === approvalId
        ? { ...part, state: 'approval-responded' as const, approval: { ...part.approval, approved: true } }
        : part,
    ),
  }));
}

/** What waits for an answer in a client's copy of the chat. */
export function openQuestions(messages: readonly UIMessage[]): string[] {
  return (messages.at(-1)?.parts ?? []).flatMap((part) =>
    'approval' in part && part.state === 'approval-requested' ? [part.approval.id] : [],
  );
}
