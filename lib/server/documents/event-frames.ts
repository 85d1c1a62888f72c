import type { Part } from '../../flow/plugin/open-api.ts';
import type { JsonSchema } from './operations.ts';

/** The payload of a frame: one line of JSON. */
const jsonLine = (schema: JsonSchema): JsonSchema => ({
  type: 'string',
  contentMediaType: 'application/json',
  contentSchema: schema,
});

const id: JsonSchema = { type: 'string', description: 'Send it back as `Last-Event-ID`.' };

export function dataFrame(schema: JsonSchema): JsonSchema {
  return { type: 'object', required: ['data'], properties: { data: jsonLine(schema) } };
}

/** A frame with an event name, and with an id unless the stream has none. */
export function namedFrame(event: string, schema: JsonSchema, { hasId }: { hasId: boolean }): JsonSchema {
  return {
    type: 'object',
    required: [...(hasId ? ['id'] : []), 'event', 'data'],
    properties: { id: hasId ? id : undefined, event: { const: event }, data: jsonLine(schema) },
  };
}

export const doneFrame: JsonSchema = {
  type: 'object',
  required: ['data'],
  properties: { data: { const: '[DONE]' } },
};

/** A response of server-sent events, as OpenAPI 3.2 defines it: an array of frames. */
export function eventStream(description: string, frames: readonly JsonSchema[]): Part {
  return { description, content: { 'text/event-stream': { schema: framesSchema(frames) } } };
}

/** The frames of a stream, in order. */
export function framesSchema(frames: readonly JsonSchema[]): JsonSchema {
  return { type: 'array', items: frames.length === 1 ? frames[0] : { anyOf: frames } };
}
