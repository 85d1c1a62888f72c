import {
  type ChatTransport,
  DefaultChatTransport,
  readUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
} from 'ai';
import { createBidiTransport } from 'countersign/bidi';
import { createSseTransport } from 'countersign/sse';
import WebSocket from 'ws';
import { answered, openQuestions } from '../contestants/plain-ai.ts';

/** A transport, and the bytes of the request bodies or frames that it sent so far. */
export type MeasuredTransport = {
  readonly transport: ChatTransport<UIMessage>;
  sentBytes(): number;
  close(): void;
};

/** The transports that are compared, each as its users make it. */
export const transports = {
  sse: (url: string): MeasuredTransport => {
    const counted = countingFetch();
    return { ...counted, transport: createSseTransport({ api: `${url}/api/chat`, fetch: counted.fetch }) };
  },
  plain: (url: string): MeasuredTransport => {
    const counted = countingFetch();
    return {
      ...counted,
      transport: new DefaultChatTransport({ api: `${url}/api/chat`, fetch: counted.fetch }),
    };
  },
  bidi: (url: string): MeasuredTransport => {
    let bytes = 0;
    class CountingSocket extends WebSocket {
      override send(data: string): void {
        bytes += Buffer.byteLength(data);
        super.send(data);
      }
    }
    const api = `${url}/api/chat`;
    const transport = createBidiTransport({ url: `${api}/socket`, api, webSocket: CountingSocket as never });
    return { transport, sentBytes: () => bytes, close: () => transport.close() };
  },
};

/** When things came of one response, in milliseconds after its request was made. */
export type ResponseTimes = {
  readonly first: number;
  /** Of the question, when there was one. */
  readonly question: number | undefined;
  readonly last: number;
  readonly sentBytes: number;
};

/** A chat as a page holds it. */
export function measuredChat(client: MeasuredTransport, chatId: string, history: readonly UIMessage[]) {
  let messages = [...history];

  /** Nothing but the transport is timed: what a page makes of the chunks comes afterwards. */
  async function send(): Promise<ResponseTimes> {
    const before = client.sentBytes();
    const chunks: UIMessageChunk[] = [];
    let first: number | undefined;
    let question: number | undefined;
    const start = performance.now();
    const stream = await client.transport.sendMessages({
      ...{ chatId, messages, messageId: undefined, abortSignal: undefined },
      trigger: 'submit-message',
    });
    for await (const chunk of stream) {
      first ??= performance.now() - start;
      if (chunk.type === 'tool-approval-request') question = performance.now() - start;
      if (chunk.type === 'error') throw new Error(chunk.errorText);
      chunks.push(chunk);
    }
    const last = performance.now() - start;
    await take(chunks);
    return { first: first ?? last, question, last, sentBytes: client.sentBytes() - before };
  }

  async function take(chunks: readonly UIMessageChunk[]): Promise<void> {
    const open = messages.at(-1)?.role === 'assistant' ? messages.at(-1) : undefined;
    let newest: UIMessage | undefined;
    const stream = new ReadableStream<UIMessageChunk>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
    for await (const state of readUIMessageStream({ message: structuredClone(open), stream })) newest = state;
    if (newest) messages = open ? [...messages.slice(0, -1), newest] : [...messages, newest];
  }

  return {
    say(text: string): Promise<ResponseTimes> {
      messages = [...messages, { id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text }] }];
      return send();
    },
    /** Says yes to the question that is open. */
    approve(): Promise<ResponseTimes> {
      const [question] = openQuestions(messages);
      if (question === undefined) throw new Error(`Nothing is asked in chat ${chatId}.`);
      messages = [...messages.slice(0, -1), ...answered(messages.slice(-1), question)];
      return send();
    },
  };
}

function countingFetch() {
  let bytes = 0;
  const counted: typeof fetch = (input, init) => {
    bytes += Buffer.byteLength(String(init?.body ?? ''));
    return fetch(input, init);
  };
  return { fetch: counted, sentBytes: () => bytes, close: () => {} };
}
