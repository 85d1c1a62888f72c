import type { WebSocketConstructor } from '@ai-sdk/provider-utils';
import type { UIMessageChunk, WebSocketChatTransportRequest } from 'ai';
import { readResponse } from 'countersign/testing';
import { WebSocket } from 'ws';

/** One request of a client for a response, and what it received on the wire. */
export type Exchange = {
  readonly body: Readonly<Record<string, unknown>>;
  /** The chunks of a complete response; rejects if it was cut. */
  readonly chunks: Promise<UIMessageChunk[]>;
};

/** Observes what a chat transport sends and receives, through settings of the SDK. */
export type Recorder = {
  /** Requests for a response, in order. Resumes are not included. */
  readonly exchanges: readonly Exchange[];
  /** Breaks the connection before the next request is sent. That request is not recorded. */
  breakLine(): void;
};

/** A `fetch` for the SDK's `DefaultChatTransport` that records each exchange. */
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

/** A WebSocket class for the SDK's `WebSocketChatTransport` that records each exchange. */
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
  // `ws` has the browser's interface, except for fields that no chat transport reads.
  const webSocket = RecordedSocket as unknown as WebSocketConstructor;
  return {
    exchanges,
    webSocket,
    breakLine() {
      isBroken = true;
    },
  };
}
