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
  const results = items.flatMap((item) => map(item) ?? []);
  const isSame = results.length === items.length && results.every((item, index) => item === items[index]);
  return isSame ? items : results;
}
