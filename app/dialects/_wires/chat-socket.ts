import {
  type ChatSocketClientFrame,
  type ChatSocketServerFrame,
  emptySocketTurn,
  reduceSocketFrame,
  type SocketTurn,
} from 'countersign/dialects/client';
import { parseTyped } from './request.ts';
import type { Wire, WireView } from './wire.ts';

const path = '/api/dialects/chat-socket';

/** Frames of JSON in both directions over one WebSocket. @source D1-D26 */
export const chatSocketWire: Wire = {
  id: 'chat-socket',
  title: 'Chat socket',
  address: `ws ${path}`,
  connect(listener) {
    let socket: Promise<WebSocket> | undefined;
    let conversationId: string | undefined;
    let turn = emptySocketTurn;
    let ending: PromiseWithResolvers<void> | undefined;

    const end = (error?: Error) => {
      if (error) ending?.reject(error);
      else ending?.resolve();
      ending = undefined;
    };

    function take(body: string): void {
      const frame = parseTyped<ChatSocketServerFrame>(body);
      if (!frame) return;
      listener.onFrame({ direction: 'received', type: frame.type, body });
      turn = reduceSocketFrame(turn, frame);
      conversationId = turn.conversationId ?? conversationId;
      listener.onView(viewOfTurn(turn));
      const isRefused = frame.type === 'error' && frame.tool_call_id === undefined;
      if (frame.type === 'complete' || isRefused) end();
    }

    function open(): Promise<WebSocket> {
      const { promise, resolve, reject } = Promise.withResolvers<WebSocket>();
      const address = new URL(path, window.location.href);
      address.protocol = address.protocol.replace('http', 'ws');
      const opened = new WebSocket(address);
      opened.onopen = () => resolve(opened);
      opened.onmessage = ({ data }) => take(String(data));
      opened.onclose = () => {
        socket = undefined;
        const lost = new Error('The socket was closed. The run continues on the server.');
        reject(lost);
        end(lost);
      };
      return promise;
    }

    /** Sends a frame. @returns when the turn that it begins or continues has ended */
    async function exchange(frame: ChatSocketClientFrame): Promise<void> {
      socket ??= open();
      const ready = await socket;
      ending ??= Promise.withResolvers();
      const { promise } = ending;
      const body = JSON.stringify(frame);
      listener.onFrame({ direction: 'sent', type: frame.type, body });
      ready.send(body);
      return promise;
    }

    return {
      async send(content) {
        // The chat's name comes with the end of its turn.
        if (ending) await exchange({ type: 'cancel' });
        turn = emptySocketTurn;
        listener.onView(viewOfTurn(turn));
        return exchange({ type: 'message', content, conversation_id: conversationId });
      },
      answer: (approval_id, approved) => exchange({ type: 'tool_approval_response', approval_id, approved }),
      close: () => void socket?.then((opened) => opened.close()),
    };
  },
};

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
      detail: rest.error ?? rest.result,
    })),
    ...(asked?.approvalId !== undefined && {
      question: { approvalId: asked.approvalId, name: asked.toolName, detail: asked.input },
    }),
    ...(error !== undefined && { failure: error }),
  };
}
