import { parseJson } from '../../../protocol/json.ts';
import { type StreamEvent, streamEventSchemas } from './schema.ts';

/** The fields of an `EventSource` message that are read here. */
export type ReceivedEvent = { readonly type: string; readonly data?: unknown };

/**
 * Reads what an `EventSource` received. A frame named `error` arrives at the same listener as the browser's own
 * notice of a lost connection; only the frame has data.
 *
 * @returns `undefined` for a lost connection, and for a frame that is none of this dialect
 * @source B17
 */
export function readStreamEvent({ type, data }: ReceivedEvent): StreamEvent | undefined {
  if (typeof data !== 'string' || !isEventType(type)) return undefined;
  const parsed = streamEventSchemas[type].safeParse(parseJson(data));
  return parsed.success ? ({ type, data: parsed.data } as StreamEvent) : undefined;
}

function isEventType(type: string): type is StreamEvent['type'] {
  return Object.hasOwn(streamEventSchemas, type);
}
