/** Shares reads: all callers during a read share the next one, which begins after they asked. */
export function createRefresh(load: () => Promise<void>): () => Promise<void> {
  let reading: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  function begin(): Promise<void> {
    next = undefined;
    return load();
  }

  return () => {
    next ??= reading.then(begin, begin);
    reading = next;
    return next;
  };
}
