import { parseJson } from '../../protocol/json.ts';
import { type LegacyStreamEvent, type StreamEvent, streamEventSchemas } from './schema.ts';

const { tool_response: response, error } = streamEventSchemas;

/** All frames that may arrive. Servers from before this dialect had ids send outcomes without one. @source B6, B11 */
const receivedSchemas = {
  ...streamEventSchemas,
  tool_response: response.partial({ tool_call_id: true }),
  error: error.partial({ tool_call_id: true }),
};

/** The fields of an `EventSource` message that are read here. */
export type ReceivedEvent = { readonly type: string; readonly data?: unknown };

/**
 * Reads what an `EventSource` received. A frame named `error` arrives at the same listener as the browser's own
 * notice of a lost connection; only the frame has data.
 *
 * @returns `undefined` for a lost connection, and for a frame of no version of this dialect
 * @source B17
 */
export function readStreamEvent({ type, data }: ReceivedEvent): StreamEvent | LegacyStreamEvent | undefined {
  if (typeof data !== 'string' || !isEventType(type)) return undefined;
  const parsed = receivedSchemas[type].safeParse(parseJson(data));
  return parsed.success ? ({ type, data: parsed.data } as StreamEvent) : undefined;
}

function isEventType(type: string): type is StreamEvent['type'] {
  return Object.hasOwn(streamEventSchemas, type);
}
