const encoder = new TextEncoder();

/**
 * A JSON response whose `output` is a text. Each part is read when the client is ready for it, so at most one part is in memory. If
 * reading fails, the response is cut off.
 *
 * @param fields the other fields; an `output` among them is replaced
 * @param text the text in parts, none of which ends within a character
 */
export function jsonWithText(fields: object, text: AsyncIterable<string>): Response {
  const parts = text[Symbol.asyncIterator]();
  const others = Object.entries(fields).filter(([name]) => name !== 'output');
  const beginning = JSON.stringify({ ...Object.fromEntries(others), output: '' }).slice(0, -'"}'.length);
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
