import { readEventStream } from '../../../../client/http/event-stream.ts';
import type { ToolEvent } from '../index.ts';
import { readToolEvent } from '../read-message.ts';

/**
 * The events of a stream, each as it arrives. Comments, and events that this version does not know, are skipped. Ends
 * when the stream ends. Leaving the loop early cancels the stream; the run continues.
 *
 * @param body of a response of `POST /api/dialects/tool-events`, or of `GET …/stream`
 * @param onId called with the id of each event that has one, before the event
 * @throws what the network throws when the connection breaks
 * @source A1, A17, A26
 */
export async function* readToolEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onId: (id: string) => void = () => {},
): AsyncGenerator<ToolEvent, void, void> {
  for await (const { id, data } of readEventStream(body)) {
    if (id !== undefined) onId(id);
    const event = readToolEvent(data);
    if (event) yield event;
  }
}
