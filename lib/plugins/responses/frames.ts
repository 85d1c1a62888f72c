import type { ResponseEvent } from './client/schema/event-schema.ts';
import type { Item } from './client/schema/item-schema.ts';

/** Ends each stream. @source C12 */
export const lastFrame = 'data: [DONE]\n\n';

/**
 * The events of one stream as frames. A finished item is in its own event and in the terminal one, and is encoded once.
 *
 * @source C12
 */
export function createFrames(): (event: ResponseEvent) => string {
  const finished = new WeakMap<Item, string>();

  function textOf(item: Item): string {
    const text = finished.get(item) ?? JSON.stringify(item);
    finished.set(item, text);
    return text;
  }

  // Within a text, the quotes of the empty fields would be escaped.
  function dataOf(event: ResponseEvent): string {
    if (event.type === 'response.output_item.done') {
      const text = JSON.stringify({ ...event, item: null });
      return text.replace('"item":null', () => `"item":${textOf(event.item)}`);
    }
    if (!('response' in event)) return JSON.stringify(event);
    const text = JSON.stringify({ ...event, response: { ...event.response, output: [] } });
    return text.replace('"output":[]', () => `"output":[${event.response.output.map(textOf).join(',')}]`);
  }

  return (event) => `event: ${event.type}\ndata: ${dataOf(event)}\n\n`;
}
