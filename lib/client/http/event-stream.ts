import { createParser, type EventSourceMessage } from 'eventsource-parser';

/**
 * Reads the server-sent events of a response body as they arrive. Ends when the body ends; an event that the body cuts
 * off is dropped, and so is an event without data. Leaving the loop early cancels the body. Linear in the body.
 *
 * @param onText called with each piece of text before its events, comments included
 * @throws a network error when the connection breaks See HTML, "Server-sent events", 9.2.6.
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onText: (text: string) => void = () => {},
): AsyncGenerator<EventSourceMessage, void, void> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => void events.push(event) });
  // Some browsers cannot iterate a stream.
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      onText(next.value);
      parser.feed(next.value);
      yield* events.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
