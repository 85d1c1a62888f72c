import { ChatSocketClient } from 'countersign/plugins/chat-socket/client';
import type { MovingServer } from './moving-server.ts';
import type { DialectReading } from './readers.ts';
import { untilShown } from './until-shown.ts';

/** Reads a turn with `ChatSocketClient`. */
export function readChatSocket(server: MovingServer, message: string): DialectReading {
  const connect = () => new ChatSocketClient({ ...server, WebSocket: movingSocket(server) });
  const client = connect();

  async function play() {
    for await (const frame of client.send(message)) {
      if (frame.type === 'tool_approval_request') {
        client.answer({ approvalId: frame.approval_id, approved: true });
      }
    }
    const turn = turnOf(client);
    if (turn?.error !== undefined) throw new Error(`The turn failed: ${turn.error}`);
    const { conversationId: chatId = '', text = '' } = turn ?? {};
    const other = connect();
    for await (const _frame of other.resume({ conversationId: chatId }));
    const fresh = turnOf(other)?.text ?? '';
    for (const each of [client, other]) each.close();
    return { chatId, text, fresh, shutdowns: undefined };
  }

  return {
    ended: play(),
    shows: (text) =>
      untilShown(client, () => (turnOf(client)?.text ?? '') === text && client.connection === 'open'),
  };
}

function turnOf({ state }: ChatSocketClient) {
  return [...state.values()].at(-1);
}

/** A WebSocket that opens when a server is there. */
function movingSocket(server: MovingServer) {
  return class MovingSocket {
    onopen: (() => void) | null = null;
    onmessage: ((event: { data: unknown }) => void) | null = null;
    onclose: (() => void) | null = null;
    onerror: (() => void) | null = null;
    #socket: WebSocket | undefined;
    #isClosed = false;

    constructor(url: string) {
      server.current().then((address) => {
        if (this.#isClosed) return;
        const { pathname } = new URL(url);
        const socket = new WebSocket(address.replace(/^http/, 'ws') + pathname);
        socket.onopen = () => this.onopen?.();
        socket.onmessage = ({ data }) => this.onmessage?.({ data });
        socket.onclose = () => this.onclose?.();
        socket.onerror = () => this.onerror?.();
        this.#socket = socket;
      });
    }

    send(text: string): void {
      this.#socket?.send(text);
    }

    close(): void {
      this.#isClosed = true;
      this.#socket?.close();
    }
  };
}
