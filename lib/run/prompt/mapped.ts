import type { ModelMessage } from 'ai';

/** A message with other content; `undefined` if there is none, because providers refuse such a message. */
export function withContent<Message extends ModelMessage>(
  message: Message,
  content: readonly unknown[],
): Message | undefined {
  if (content === message.content) return message;
  return content.length === 0 ? undefined : { ...message, content };
}

/** The list without what is mapped to nothing; the same list if nothing changes. */
export function mapped<Item>(items: Item[], map: (item: Item) => Item | undefined): Item[] {
  let results: Item[] | undefined;
  let index = 0;
  for (const item of items) {
    const result = map(item);
    // Most prompts stay as they are, and a prompt is long.
    if (result !== item) results ??= items.slice(0, index);
    if (result !== undefined) results?.push(result);
    index += 1;
  }
  return results ?? items;
}
