import { type ResponseEvent, responseEventSchema } from '../../lib/dialects/responses/schema/event-schema.ts';
import { canonicalJson } from '../../lib/protocol/index.ts';

/** A stream as it came over the wire. */
export type ResponsesFrames = {
  /** Each as sent, without the empty line at its end. */
  readonly frames: readonly string[];
  /** Those that hold events, parsed by the gateway's own schema. */
  readonly events: readonly ResponseEvent[];
};

/** Reads a stream to its end. @throws when an event does not fit the schema that is declared for it */
export async function readResponsesFrames(response: Response): Promise<ResponsesFrames> {
  const text = await response.text();
  const frames = text.split('\n\n').filter((frame) => frame !== '' && !frame.startsWith(':'));
  const events = frames
    .map((frame) => /^data: (.*)$/m.exec(frame)?.[1] ?? '')
    .filter((data) => data !== '[DONE]')
    .map(parseEvent);
  return { frames, events };
}

/** The schema takes away what it does not declare, so an event that is still the same holds nothing else. */
function parseEvent(data: string): ResponseEvent {
  const sent: unknown = JSON.parse(data);
  const event = responseEventSchema.parse(sent);
  if (canonicalJson(event) === canonicalJson(sent)) return sent as ResponseEvent;
  throw new Error(`This event holds more than it declares: ${data}`);
}

/** The events about one tool's items: announced, told of, done. */
export function eventsOfItem(events: readonly ResponseEvent[], outputIndex: number): ResponseEvent[] {
  return events.filter((event) => 'output_index' in event && event.output_index === outputIndex);
}
