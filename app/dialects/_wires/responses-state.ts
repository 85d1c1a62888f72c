import type { ResponseOutputItem, ResponseStreamEvent } from 'openai/resources/responses/responses';
import type { WireCall, WireView } from './wire.ts';

/** The output of a turn, which is one response, and one more after each answer. */
export type ResponsesState = {
  /** Of the last response: the next request names it. */
  readonly responseId?: string;
  readonly items: ReadonlyMap<string, ResponseOutputItem>;
  /** The text so far, by the id of its item. */
  readonly texts: ReadonlyMap<string, string>;
  readonly failure?: string;
};

/** Before the first event. */
export const emptyResponses: ResponsesState = { items: new Map(), texts: new Map() };

/** The output after one more event. Events that only repeat what others said do not change it. */
export function reduceResponseEvent(state: ResponsesState, event: ResponseStreamEvent): ResponsesState {
  switch (event.type) {
    case 'response.created':
      return { ...state, responseId: event.response.id };
    case 'response.output_item.added':
    case 'response.output_item.done': {
      const { item } = event;
      const key = item.id ?? `${state.responseId} ${event.output_index}`;
      return { ...state, items: new Map(state.items).set(key, item) };
    }
    case 'response.output_text.delta': {
      const { item_id: id, delta } = event;
      const text = (state.texts.get(id) ?? '') + delta;
      return { ...state, texts: new Map(state.texts).set(id, text) };
    }
    case 'error':
      return { ...state, failure: event.message };
    default:
      return state;
  }
}

/** What a client knows. A request for approval is open until a call names it. */
export function viewOfResponses({ items, texts, failure }: ResponsesState): WireView {
  const all = [...items.values()];
  const answered = new Set(all.map((item) => item.type === 'mcp_call' && item.approval_request_id));
  const asked = all.find((item) => item.type === 'mcp_approval_request' && !answered.has(item.id));
  return {
    text: all.map(({ id = '' }) => texts.get(id ?? '') ?? '').join(''),
    calls: all.flatMap((item) => callOf(item, answered) ?? []),
    ...(asked?.type === 'mcp_approval_request' && {
      question: { approvalId: asked.id, name: asked.name, detail: asked.arguments },
    }),
    ...(failure !== undefined && { failure }),
  };
}

function callOf(item: ResponseOutputItem, answered: ReadonlySet<unknown>): WireCall | undefined {
  switch (item.type) {
    case 'mcp_call': {
      const { id, name, status: state = 'in_progress', error, output } = item;
      const reason = error ? JSON.stringify(error) : undefined;
      return { id, name, state, detail: reason ?? output ?? undefined };
    }
    case 'mcp_approval_request':
      return answered.has(item.id) ? undefined : { id: item.id, name: item.name, state: item.type };
    case 'file_search_call':
    case 'web_search_call':
      return { id: item.id, name: item.type, state: item.status };
    default:
      return undefined;
  }
}
