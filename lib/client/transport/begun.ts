/** Resolves to a stream when its first chunk has arrived. @throws the error that it broke with before */
export async function begun<Chunk>(stream: ReadableStream<Chunk>): Promise<ReadableStream<Chunk>> {
  const reader = stream.getReader();
  let next: Promise<ReadableStreamReadResult<Chunk>> | undefined = Promise.resolve(await reader.read());
  return new ReadableStream<Chunk>(
    {
      async pull(controller) {
        const { done, value } = await (next ?? reader.read());
        next = undefined;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
