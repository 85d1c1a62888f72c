/**
 * Calls back with each item of a stream, in order, and reads the next one when the callback has resolved. An abort
 * cancels the stream and ends the reading.
 *
 * @throws what the stream or the callback throws
 */
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
