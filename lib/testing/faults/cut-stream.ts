/** A stream that fails after a number of items and releases its source. */
export function cutStream<Piece>(
  stream: ReadableStream<Piece>,
  after: number,
  error: Error,
): ReadableStream<Piece> {
  const reader = stream.getReader();
  let pieces = 0;
  return new ReadableStream<Piece>(
    {
      async pull(controller) {
        const next = pieces < after ? await reader.read() : undefined;
        pieces += 1;
        if (next === undefined) {
          controller.error(error);
          await reader.cancel(error);
        } else if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
