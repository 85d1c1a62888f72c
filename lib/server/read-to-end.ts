/** Reads a stream, one item after the callback of the last. An abort cancels it. @throws what either throws */
export async function readToEnd<Item>(
  stream: ReadableStream<Item>,
  signal: AbortSignal,
  onItem: (item: Item) => Promise<void> | void,
): Promise<void> {
  const reader = stream.getReader();
  // Node throws synchronously when a stream is about to close, and an abort listener must not throw.
  const cancel = async () => reader.cancel(signal.reason);
  const onAbort = () => void cancel().catch(() => {});
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    let next = await reader.read();
    while (!next.done && !signal.aborted) {
      await onItem(next.value);
      next = await reader.read();
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
