import {
  type ResponseEvent,
  responseEventSchema,
} from '../../lib/plugins/responses/client/schema/event-schema.ts';
import { canonicalJson } from '../../lib/protocol/index.ts';

/** A stream as received. */
export type ResponsesFrames = {
  /** Each frame as sent, without the empty line at its end. */
  readonly frames: readonly string[];
  /** The frames with events, parsed by the gateway's own schema. */
  readonly events: readonly ResponseEvent[];
};

/** Reads a stream to its end. @throws if an event does not match its schema */
export async function readResponsesFrames(response: Response): Promise<ResponsesFrames> {
  const text = await response.text();
  const frames = text.split('\n\n').filter((frame) => frame !== '' && !frame.startsWith(':'));
  const events = frames
    .map((frame) => /^data: (.*)$/m.exec(frame)?.[1] ?? '')
    .filter((data) => data !== '[DONE]')
    .map(parseEvent);
  return { frames, events };
}

/** The schema removes undeclared fields. So an event that is unchanged has none. */
function parseEvent(data: string): ResponseEvent {
  const sent: unknown = JSON.parse(data);
  const event = responseEventSchema.parse(sent);
  if (canonicalJson(event) === canonicalJson(sent)) return sent as ResponseEvent;
  throw new Error(`The event has undeclared fields: ${data}`);
}

/** The events about one tool's items: announced, in progress, done. */
export function eventsOfItem(events: readonly ResponseEvent[], outputIndex: number): ResponseEvent[] {
  return events.filter((event) => 'output_index' in event && event.output_index === outputIndex);
}
