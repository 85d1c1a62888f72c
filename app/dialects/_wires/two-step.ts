import {
  type StreamState,
  TwoStepClient,
  type TwoStepEvents,
} from 'countersign/plugins/two-step-stream/client';
import type { Wire, WireListener, WireView } from './wire.ts';

const path = '/api/chat/message';

/** A message, and then a stream that can be read again from any place. @source B1-B10, B12-B19 */
export const twoStepWire: Wire = {
  id: 'two-step-stream',
  title: 'Two-step stream',
  address: `POST ${path}`,
  connect(listener) {
    const client = new TwoStepClient({ url: '', fetch: shownTo(listener) });
    const stop = client.subscribe(() => listener.onView(viewOfStream(client.state)));

    async function read(events: TwoStepEvents): Promise<void> {
      for await (const { type, data } of events) {
        listener.onFrame({ direction: 'received', type, body: JSON.stringify(data) });
      }
    }

    return {
      send: (message) => read(client.send(message)),
      answer: (approvalId, approved) => read(client.answer({ approvalId, approved })),
      close() {
        stop();
        client.close();
      },
    };
  },
};

/** Shows what is posted, and the JSON that is returned, as frames. */
function shownTo({ onFrame }: WireListener): typeof fetch {
  return async (input, init) => {
    if (init?.method !== 'POST') return fetch(input, init);
    onFrame({ direction: 'sent', type: `POST ${String(input)}`, body: String(init.body) });
    const response = await fetch(input, init);
    if (response.ok) {
      onFrame({ direction: 'received', type: 'JSON', body: await response.clone().text() });
    }
    return response;
  };
}

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
    question:
      asked?.approvalId === undefined
        ? undefined
        : { approvalId: asked.approvalId, name: asked.title, detail: asked.description },
    failure: error,
  };
}
