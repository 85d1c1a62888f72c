import type { UIMessage, UIMessageChunk } from 'ai';
import { openQuestions } from 'countersign/testing';
import { messageOf } from '../../../support/client-message.ts';
import { connectSse } from '../../../support/connect-sse.ts';
import type { RawResponse } from '../../../support/raw-client.ts';
import type { MovingServer } from './moving-server.ts';
import type { DialectReading } from './readers.ts';

/** Reads a turn over the AI SDK's stream. Its text is held back until the turn ends. */
export function readUiStream(server: MovingServer, message: string): DialectReading {
  const chatId = crypto.randomUUID();
  const client = async () => connectSse(await server.current());
  let chunks: UIMessageChunk[] = [];
  let connected = Promise.withResolvers<void>();

  /** Reads a response, and replays the turn as often as the connection breaks. */
  async function read(begin: () => Promise<RawResponse | null>): Promise<UIMessage> {
    for (let open = begin; ; open = async () => (await client()).resume(chatId)) {
      connected = Promise.withResolvers();
      try {
        const response = await open();
        if (open !== begin) chunks = [];
        connected.resolve();
        for await (const chunk of response ?? []) chunks.push(chunk);
        return await messageOf(chunks);
      } catch (error) {
        // What `fetch` throws when the connection breaks.
        if (!(error instanceof TypeError)) throw error;
      }
    }
  }

  async function play() {
    const parts = [{ type: 'text', text: message }];
    const sent = { id: chatId, message: { id: `user-${chatId}`, role: 'user', parts } };
    let shown = await read(async () => (await client()).open({ trigger: 'submit-message', ...sent }));
    for (let asked = openQuestions([shown])[0]; asked; asked = openQuestions([shown])[0]) {
      const answers = [{ approvalId: asked.approvalId, approved: true }];
      shown = await read(async () => (await client()).open({ id: chatId, answers }));
    }
    chunks = [];
    const fresh = await read(async () => (await client()).resume(chatId));
    return { chatId, text: textOf(shown), fresh: textOf(fresh), shutdowns: undefined };
  }

  return { ended: play(), shows: () => connected.promise };
}

function textOf({ parts }: UIMessage): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
