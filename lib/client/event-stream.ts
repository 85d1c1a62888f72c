import type { EventSourceMessage } from 'eventsource-parser';
import { EventSourceParserStream } from 'eventsource-parser/stream';

/**
 * Reads the server-sent events of a response body as they arrive. Ends when the body ends; an event that the body cuts
 * off is dropped, and so is an event without data. Leaving the loop early cancels the body. Linear in the body.
 *
 * @param onText called with each piece of text before its events, comments included
 * @throws what the network throws when the connection breaks
 * See HTML, "Server-sent events", 9.2.6.
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onText: (text: string) => void = () => {},
): AsyncGenerator<EventSourceMessage, void, void> {
  const watch = new TransformStream<string, string>({
    transform(text, controller) {
      onText(text);
      controller.enqueue(text);
    },
  });
  const events = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(watch)
    .pipeThrough(new EventSourceParserStream());
  // Some browsers cannot iterate a stream.
  const reader = events.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
