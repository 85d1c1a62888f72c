import { WebSocket } from 'node:http';
import { WebSocketChatTransport } from 'ai';
import { isRecord, parseJson } from '../../../protocol/index.ts';
import { malformedFrames, sendMalformedFrame } from '../probes/malformed-frames.ts';
import { WatchedSocket } from './watched-socket.ts';
import { errorCodeOf, type Wire } from './wire.ts';

/** The error of the SDK's transport for an `error` frame without text. */
const noText = 'WebSocket chat server returned an error.';

/**
 * A backend over a WebSocket, through the SDK's `WebSocketChatTransport`. Headers are sent in the handshake, which
 * Node supports and browsers do not, and in each frame.
 *
 * @source H3
 */
export function bidiWire(url: string, headers: Readonly<Record<string, string>>): Wire {
  const errorTexts = new Set<string>();
  const watch = (data: unknown) => {
    const frame = parse(data);
    if (frame?.type === 'error') errorTexts.add(String(frame.errorText ?? noText));
  };
  const transport = new WebSocketChatTransport({
    url,
    headers: { ...headers },
    webSocket: class extends WatchedSocket {
      constructor(address: string | URL) {
        super(address, headers, watch);
      }
    },
  });
  return {
    name: 'BIDI',
    address: url,
    formRule: 'H3',
    transport,
    refusalOf(error) {
      if (!(error instanceof Error) || !errorTexts.has(error.message)) return undefined;
      return { code: errorCodeOf(error.message), text: error.message };
    },
    // The SDK's transport fails on an invalid frame.
    takeFaults: async () => [],
    async sendMalformed(budget, chatId) {
      const replies = [];
      for (const frame of malformedFrames(chatId)) {
        const socket = new WebSocket(url, { headers: { ...headers } });
        replies.push(await sendMalformedFrame({ socket, ...frame, signal: budget.take() }));
        budget.assertTime();
      }
      return replies;
    },
    close: () => transport.close(),
  };
}

function parse(data: unknown): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(String(data));
  return isRecord(value) ? value : undefined;
}
