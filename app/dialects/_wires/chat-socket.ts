import {
  ChatSocketClient,
  type ServerFrame as ChatSocketServerFrame,
  emptySocketTurn,
  type SocketTurn,
} from 'countersign/plugins/chat-socket/client';
import { parseTyped } from './request.ts';
import type { Wire, WireListener, WireView } from './wire.ts';

/** Frames of JSON in both directions over one WebSocket. @source D1-D26 */
export const chatSocketWire: Wire = {
  id: 'chat-socket',
  title: 'Chat socket',
  address: 'ws /api/dialects/chat-socket',
  connect(listener) {
    const client = new ChatSocketClient({ url: window.location.origin, WebSocket: shown(listener) });
    client.subscribe(() => listener.onView(viewOfTurn(lastTurn() ?? emptySocketTurn)));
    const lastTurn = () => [...client.state.values()].at(-1);
    return {
      send(content) {
        const conversationId = lastTurn()?.conversationId;
        // A turn that goes on is cancelled first.
        if (conversationId !== undefined && !lastTurn()?.isComplete) client.cancel(conversationId);
        listener.onView(viewOfTurn(emptySocketTurn));
        return readToEnd(client.send(content, { conversationId }));
      },
      answer: (approvalId, approved) => readToEnd(client.answer({ approvalId, approved })),
      close: () => client.close(),
    };
  },
};

/** Resolves when the turn has ended. @throws ChatSocketError if the server refuses, or the connection is lost */
async function readToEnd(frames: AsyncIterable<ChatSocketServerFrame>): Promise<void> {
  for await (const _frame of frames);
}

/** The browser's WebSocket, which shows each frame as it is on the wire. */
function shown({ onFrame }: WireListener): typeof WebSocket {
  return class extends WebSocket {
    constructor(...settings: ConstructorParameters<typeof WebSocket>) {
      super(...settings);
      this.addEventListener('message', ({ data }) => show('received', String(data)));
    }

    override send(body: string): void {
      show('sent', body);
      super.send(body);
    }
  };

  function show(direction: 'sent' | 'received', body: string): void {
    const type = parseTyped<{ type?: unknown }>(body)?.type;
    onFrame({ direction, type: typeof type === 'string' ? type : '', body });
  }
}

/** What the dialect's reducer knows. */
function viewOfTurn({ text, calls, error }: SocketTurn): WireView {
  const all = [...calls.values()];
  const asked = all.find(({ approvalId }) => approvalId !== undefined);
  return {
    text,
    calls: all.map(({ id, toolName: name, status: state, ...rest }) => ({
      id,
      name,
      state,
      detail: rest.error ?? rest.reason ?? rest.result,
    })),
    question:
      asked?.approvalId === undefined
        ? undefined
        : { approvalId: asked.approvalId, name: asked.toolName, detail: asked.input },
    failure: error,
  };
}
