import type { ToolEvent } from '../../dialects/client.ts';
import { toolEventSchema } from '../../dialects/tool-events/schema.ts';
import { parseJson } from '../../protocol/json.ts';
import { readEventStream } from '../event-stream.ts';

/**
 * The events of a stream, each as it arrives. Comments, and events that this version does not know, are skipped. Ends
 * when the stream ends. Leaving the loop early cancels the stream; the run continues.
 *
 * @param body of a response of `POST /api/dialects/tool-events`
 * @throws a network error when the connection breaks
 * @source A1, A17, A26
 */
export async function* readToolEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ToolEvent, void, void> {
  for await (const { data } of readEventStream(body)) {
    const event = toolEventSchema.safeParse(parseJson(data)).data;
    if (event) yield event;
  }
}
