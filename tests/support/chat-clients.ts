import type { UIMessage } from 'ai';
import * as bidi from 'countersign/bidi';
import * as sse from 'countersign/sse';
import { onTestFinished } from 'vitest';
import { type Recorder, recordFetch, recordSocket } from './record-exchanges.ts';

/** One of the library's two client transports. */
export type ChatClient = {
  readonly name: 'SSE' | 'BIDI';
  /** The predicate for `useChat`; with client tools, the one that waits for them. */
  predicate(clientTools?: readonly string[]): (options: { messages: UIMessage[] }) => boolean;
  /** A transport of the library, with its exchanges recorded. */
  connect(
    url: string,
    clientTools?: readonly string[],
  ): Recorder & {
    readonly transport: sse.SseTransport | bidi.BidiTransport;
  };
};

/** `countersign/sse`. */
export const sseClient: ChatClient = {
  name: 'SSE',
  predicate: (clientTools) =>
    clientTools ? sse.createSendAutomaticallyWhen({ clientTools }) : sse.sendAutomaticallyWhen,
  connect(url, clientTools) {
    const { fetch, ...recorder } = recordFetch();
    return { ...recorder, transport: sse.createSseTransport({ api: `${url}/api/chat`, fetch, clientTools }) };
  },
};

/** `countersign/bidi`. */
export const bidiClient: ChatClient = {
  name: 'BIDI',
  predicate: (clientTools) =>
    clientTools ? bidi.createSendAutomaticallyWhen({ clientTools }) : bidi.sendAutomaticallyWhen,
  connect(url, clientTools) {
    const { webSocket, ...recorder } = recordSocket();
    const transport = bidi.createBidiTransport({
      url: `${url}/api/chat/socket`,
      api: `${url}/api/chat`,
      webSocket,
      clientTools,
    });
    onTestFinished(() => transport.close());
    return { ...recorder, transport };
  },
};
