import type { WebSocketConstructor } from '@ai-sdk/provider-utils';
import type { UIMessageChunk, WebSocketChatTransportRequest } from 'ai';
import { readResponse } from 'countersign/testing';
import { WebSocket } from 'ws';

/** One request that a client made for a response, and what came back, as it was on the wire. */
export type Exchange = {
  readonly body: Readonly<Record<string, unknown>>;
  /** The chunks of a response that was streamed whole; rejects when it was cut. */
  readonly chunks: Promise<UIMessageChunk[]>;
};

/** Sees what a chat transport sends and gets, through the settings that the SDK has for that. */
export type Recorder = {
  /** Requests for a response, in the order they were made; resumes are not among them. */
  readonly exchanges: readonly Exchange[];
  /** The line breaks before the next request gets out. That request is no exchange. */
  breakLine(): void;
};

/** A `fetch` for the SDK's `DefaultChatTransport` that remembers each exchange. */
export function recordFetch(): Recorder & { readonly fetch: typeof globalThis.fetch } {
  const exchanges: Exchange[] = [];
  let isBroken = false;
  return {
    exchanges,
    breakLine() {
      isBroken = true;
    },
    async fetch(input, init) {
      if (init?.method !== 'POST') return fetch(input, init);
      if (isBroken) {
        isBroken = false;
        throw new TypeError('fetch failed');
      }
      const response = Promise.withResolvers<Response>();
      const chunks = response.promise.then(readResponse);
      chunks.catch(() => {});
      exchanges.push({ body: JSON.parse(String(init.body)), chunks });
      try {
        const given = await fetch(input, init);
        response.resolve(given.clone());
        return given;
      } catch (error) {
        response.reject(error);
        throw error;
      }
    },
  };
}

/** A WebSocket class for the SDK's `WebSocketChatTransport` that remembers each exchange. */
export function recordSocket(): Recorder & { readonly webSocket: WebSocketConstructor } {
  const exchanges: (Exchange & { readonly requestId: string })[] = [];
  let isBroken = false;
  const open = new Map<string, { chunks: UIMessageChunk[]; end: PromiseWithResolvers<UIMessageChunk[]> }>();

  class RecordedSocket extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.on('message', (data) => {
        const { type, requestId, chunk, errorText } = JSON.parse(String(data));
        const exchange = open.get(requestId);
        if (type === 'chunk') exchange?.chunks.push(chunk);
        if (type === 'end') exchange?.end.resolve(exchange.chunks);
        if (type === 'error') exchange?.end.reject(new Error(errorText));
      });
    }

    override send(data: string): void {
      const frame: WebSocketChatTransportRequest = JSON.parse(data);
      if (isBroken && frame.type === 'send') {
        isBroken = false;
        this.terminate();
        return;
      }
      if (frame.type === 'send') {
        const end = Promise.withResolvers<UIMessageChunk[]>();
        end.promise.catch(() => {});
        open.set(frame.requestId, { chunks: [], end });
        exchanges.push({ body: { ...frame }, chunks: end.promise, requestId: frame.requestId });
      }
      super.send(data);
    }
  }
  // `ws` speaks the browser's interface, but for fields that no chat transport reads.
  const webSocket = RecordedSocket as unknown as WebSocketConstructor;
  return {
    exchanges,
    webSocket,
    breakLine() {
      isBroken = true;
    },
  };
}
