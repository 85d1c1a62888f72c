/** Everything a stream (or another async iterable) gives, in order. Rejects when the stream breaks. */
export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}
