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
  /** The ids of the items that the last response has added so far. */
  readonly announced: readonly string[];
  /** Why the turn failed, in a sentence. */
  readonly failure?: string;
};

/** Before the first event. */
export const emptyResponses: ResponsesState = { items: new Map(), texts: new Map(), announced: [] };

/**
 * The output after one more event. Events that only repeat others do not change it. The items of a broken attempt of a model step
 * are removed: an incomplete item when the next one begins, and all others at the end of the response. Pure.
 *
 * @source ADR 0014.25
 */
export function reduceResponseEvent(state: ResponsesState, event: ResponseEvent): ResponsesState {
  switch (event.type) {
    case 'response.created':
      return { ...state, responseId: event.response.id, announced: [] };
    case 'response.output_item.added': {
      const announced = [...state.announced, event.item.id];
      return withItem({ ...only(state, (item) => !isIncomplete(item)), announced }, event.item);
    }
    case 'response.output_item.done':
      return withItem(state, event.item);
    case 'response.output_text.delta': {
      const { item_id: id, delta } = event;
      return { ...state, texts: new Map(state.texts).set(id, (state.texts.get(id) ?? '') + delta) };
    }
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed': {
      const final = new Set(event.response.output.map(({ id }) => id));
      return only(state, ({ id }) => final.has(id));
    }
    case 'error':
      return { ...state, failure: event.message };
    default:
      return state;
  }
}

function withItem(state: ResponsesState, item: Item): ResponsesState {
  return { ...state, items: new Map(state.items).set(item.id, item) };
}

/** Keeps only these items of the last response. */
function only(state: ResponsesState, isKept: (item: Item) => boolean): ResponsesState {
  const items = new Map(state.items);
  const texts = new Map(state.texts);
  for (const id of state.announced) {
    const item = items.get(id);
    if (!item || isKept(item)) continue;
    items.delete(id);
    texts.delete(id);
  }
  return { ...state, items, texts };
}

function isIncomplete(item: Item): boolean {
  return 'status' in item && item.status === 'incomplete';
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
