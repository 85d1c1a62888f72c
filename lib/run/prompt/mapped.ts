import type { ModelMessage } from 'ai';

/** A message with this content; `undefined` if there is none, because providers refuse such a message. */
export function withContent<Message extends ModelMessage>(
  message: Message,
  content: readonly unknown[],
): Message | undefined {
  if (content.length === 0) return undefined;
  return content === message.content ? message : { ...message, content };
}

/** The list without what is mapped to nothing; the same list if nothing changes. */
export function mapped<Item>(items: Item[], map: (item: Item) => Item | undefined): Item[] {
  const results = items.flatMap((item) => map(item) ?? []);
  const isSame = results.length === items.length && results.every((item, index) => item === items[index]);
  return isSame ? items : results;
}
