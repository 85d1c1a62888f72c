import {
  openRequest,
  type ResponseEvent,
  ResponsesClient,
  type ResponsesState,
} from 'countersign/plugins/responses/client';
import type { Wire, WireCall, WireListener, WireView } from './wire.ts';

const path = '/v1/responses';

/** OpenAI's Responses API. The next request answers. @source C1-C18 */
export const responsesWire: Wire = {
  id: 'responses',
  title: 'Responses',
  address: `POST ${path}`,
  connect(listener) {
    const client = new ResponsesClient({ url: '', model: 'demo', fetch: shownTo(listener) });
    const stop = client.subscribe(() => listener.onView(viewOfResponses(client.state)));

    async function read(events: AsyncIterable<ResponseEvent>): Promise<void> {
      for await (const event of events) {
        listener.onFrame({ direction: 'received', type: event.type, body: JSON.stringify(event) });
      }
    }

    return {
      send: (text) => read(client.send(text)),
      answer: (approvalId, approved) => read(client.answer({ approvalId, approved })),
      close() {
        stop();
        client.close();
      },
    };
  },
};

/** Shows what is posted as a frame. */
function shownTo({ onFrame }: WireListener): typeof fetch {
  return (input, init) => {
    if (init?.method === 'POST') {
      onFrame({ direction: 'sent', type: `POST ${String(input)}`, body: String(init.body) });
    }
    return fetch(input, init);
  };
}

/** What a client knows of the turn. */
export function viewOfResponses(state: ResponsesState): WireView {
  const { items, texts, failure } = state;
  const all = [...items.values()];
  const asked = openRequest(state);
  return {
    text: all.map(({ id }) => texts.get(id) ?? '').join(''),
    calls: all.flatMap((item) => callOf(item, asked?.id) ?? []),
    question: asked && { approvalId: asked.id, name: asked.name, detail: asked.arguments },
    failure,
  };
}

type Item = ResponsesState['items'] extends ReadonlyMap<string, infer Each> ? Each : never;

function callOf(item: Item, asked: string | undefined): WireCall | undefined {
  switch (item.type) {
    case 'mcp_call': {
      const { id, name, status: state, error, output } = item;
      const reason = error ? JSON.stringify(error) : undefined;
      return { id, name, state, detail: reason ?? output ?? undefined };
    }
    case 'mcp_approval_request':
      return item.id === asked ? { id: item.id, name: item.name, state: item.type } : undefined;
    case 'file_search_call':
    case 'web_search_call':
      return { id: item.id, name: item.type, state: item.status, detail: item.error?.message };
    default:
      return undefined;
  }
}
