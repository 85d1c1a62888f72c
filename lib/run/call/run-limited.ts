/** Runs tasks in order, at most `limit` at once. @throws the first error, when all that began have ended */
export async function runLimited<Item>(
  items: readonly Item[],
  limit: number,
  mayBegin: () => boolean,
  task: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const errors: unknown[] = [];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      if (errors.length > 0 || !mayBegin()) return;
      await task(item).catch((error: unknown) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (errors.length > 0) throw errors[0];
}
