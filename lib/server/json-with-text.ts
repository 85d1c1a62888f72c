const encoder = new TextEncoder();

/**
 * A JSON response whose `output` is a text that is read while it is sent: at most one part is in memory. If reading fails,
 * the response is cut off.
 *
 * @param text in parts that end between characters
 */
export function jsonWithText(fields: object, text: AsyncIterable<string>): Response {
  const parts = text[Symbol.asyncIterator]();
  const beginning = JSON.stringify({ ...fields, output: '' }).slice(0, -'"}'.length);
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(beginning)),
    async pull(controller) {
      const { value, done } = await parts.next();
      controller.enqueue(encoder.encode(done ? '"}' : JSON.stringify(value).slice(1, -1)));
      if (done) controller.close();
    },
    async cancel() {
      await parts.return?.();
    },
  });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}
