import {
  continueStream,
  emptyStreamState,
  readStreamEvent,
  reduceStreamEvent,
  type StreamState,
} from 'countersign/dialects/client';
import { parseTyped, post, postAnswer } from './request.ts';
import type { Wire, WireView } from './wire.ts';

const path = '/api/chat/message';
const types = [
  'message_chunk',
  'reset',
  'tool_call',
  'tool_response',
  'approval_request',
  'error',
  'done',
] as const;

/** A message, and then a stream that a browser's `EventSource` reads. @source B1-B18 */
export const twoStepWire: Wire = {
  id: 'two-step-stream',
  title: 'Two-step stream',
  address: `POST ${path}`,
  connect(listener) {
    let chatId: string | undefined;
    let state = emptyStreamState;
    let source: EventSource | undefined;

    const show = (next: StreamState) => {
      state = next;
      listener.onView(viewOfStream(next));
    };

    /** Notes what a first step returned. @returns the id of the stream to read */
    async function readStart(response: Response): Promise<string> {
      const body = await response.text();
      listener.onFrame({ direction: 'received', type: 'JSON', body });
      const start = parseTyped<{ stream_id?: string; chat_id?: string }>(body);
      chatId ??= start?.chat_id;
      if (start?.stream_id === undefined) throw new Error('The server named no stream.');
      return start.stream_id;
    }

    function listen(streamId: string): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const opened = new EventSource(`/api/chat/stream/${encodeURIComponent(streamId)}`);
      source = opened;
      const take = (message: Event) => {
        const event = readStreamEvent(message);
        if (!event) {
          // It reconnects by itself, unless the server refused.
          if (opened.readyState === EventSource.CLOSED) reject(new Error('The stream cannot be read.'));
          return;
        }
        const { type, data } = event;
        listener.onFrame({ direction: 'received', type, body: JSON.stringify(data) });
        show(reduceStreamEvent(state, event));
        if (type !== 'done') return;
        opened.close();
        resolve();
      };
      for (const type of types) opened.addEventListener(type, take);
      return promise;
    }

    return {
      async send(message) {
        source?.close();
        show(emptyStreamState);
        const body = { message, ...(chatId !== undefined && { chat_id: chatId }) };
        return listen(await readStart(await post(path, body, listener)));
      },
      async answer(approvalId, approved) {
        const streamId = await readStart(await postAnswer(approvalId, approved, listener));
        state = continueStream(state);
        return listen(streamId);
      },
      close: () => source?.close(),
    };
  },
};

/** What the dialect's reducer knows. */
function viewOfStream({ text, activities, error }: StreamState): WireView {
  const all = [...activities.values()];
  const asked = all.find(({ approvalId }) => approvalId !== undefined);
  return {
    text,
    calls: all.map(({ toolCallId: id, title: name, status: state, description, message }) => ({
      id,
      name,
      state,
      detail: message ?? description,
    })),
    ...(asked?.approvalId !== undefined && {
      question: { approvalId: asked.approvalId, name: asked.title, detail: asked.description },
    }),
    ...(error !== undefined && { failure: error }),
  };
}
