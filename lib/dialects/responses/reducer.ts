import type { ResponseEvent } from './schema/event-schema.ts';
import type { Item, ItemOf } from './schema/item-schema.ts';

/** The output of a turn, which is one response, and one more after each answer. */
export type ResponsesState = {
  /** Of the last response: the next request names it. */
  readonly responseId?: string;
  /** By id, in the order in which they were announced. */
  readonly items: ReadonlyMap<string, Item>;
  /** The text so far, by the id of its item. */
  readonly texts: ReadonlyMap<string, string>;
  /** Why the turn failed, in a sentence. */
  readonly failure?: string;
};

/** Before the first event. */
export const emptyResponses: ResponsesState = { items: new Map(), texts: new Map() };

/** The output after one more event. Events that only repeat what others said do not change it. Pure. */
export function reduceResponseEvent(state: ResponsesState, event: ResponseEvent): ResponsesState {
  switch (event.type) {
    case 'response.created':
      return { ...state, responseId: event.response.id };
    case 'response.output_item.added':
    case 'response.output_item.done':
      return { ...state, items: new Map(state.items).set(event.item.id, event.item) };
    case 'response.output_text.delta': {
      const { item_id: id, delta } = event;
      return { ...state, texts: new Map(state.texts).set(id, (state.texts.get(id) ?? '') + delta) };
    }
    case 'error':
      return { ...state, failure: event.message };
    default:
      return state;
  }
}

/** The question that waits for an answer: a request for approval is open until a call names it. */
export function openRequest({ items }: ResponsesState): ItemOf<'mcp_approval_request'> | undefined {
  const all = [...items.values()];
  const answered = new Set(all.map((item) => item.type === 'mcp_call' && item.approval_request_id));
  return all.find(
    (item): item is ItemOf<'mcp_approval_request'> =>
      item.type === 'mcp_approval_request' && !answered.has(item.id),
  );
}
