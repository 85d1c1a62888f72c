import { z } from 'zod';
import { questionSchema } from '../../protocol/wire/question.ts';
import type { JsonSchema } from '../../server/openapi/operations.ts';
import { clientFrameSchemas, serverFrameSchemas } from '../chat-socket/schema.ts';
import { jsonSchemaOf, responseEvents } from '../openapi/components.ts';
import {
  draftPartSchema,
  lifecyclePartSchema,
  messageChangedPartSchema,
  toolInputPartSchema,
} from '../openapi/data-parts.ts';
import { toolEventSchemas } from '../tool-events/schema.ts';
import { streamEventSchemas } from '../two-step-stream/schema.ts';
import { bidiClientFrameSchemas, bidiServerFrameSchemas } from './bidi-frames.ts';

/** Messages of one direction of a channel: their payloads by name, and the lines of an event stream beside `data`. */
type Group = {
  readonly payloads: Readonly<Record<string, z.ZodType>>;
  readonly lines?: (name: string) => JsonSchema;
};

const lines = (properties: JsonSchema, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
});
const id = { type: 'string', description: 'Send it back as `Last-Event-ID`.' };
const named = (event: string) => lines({ event: { const: event } }, ['event']);
const namedWithId = (event: string) => lines({ id, event: { const: event } }, ['id', 'event']);
const end = { done: z.literal('[DONE]') };

/** Every message of the document, by the group that its name begins with. */
export const groups = {
  'bidi.client': { payloads: bidiClientFrameSchemas },
  'bidi.server': { payloads: bidiServerFrameSchemas },
  'chat-socket.client': { payloads: clientFrameSchemas },
  'chat-socket.server': { payloads: serverFrameSchemas },
  'ui-stream': {
    payloads: {
      chunk: z.looseObject({ type: z.string() }).describe("A chunk of the AI SDK's UI message stream."),
      'data-tool-lifecycle': lifecyclePartSchema,
      'data-draft': draftPartSchema,
      'data-tool-input': toolInputPartSchema,
      'data-message-changed': messageChangedPartSchema,
      ...end,
    },
  },
  'tool-events': { payloads: toolEventSchemas },
  'tool-events-stream': { payloads: toolEventSchemas, lines: () => lines({ id }, ['id']) },
  'two-step-stream': { payloads: streamEventSchemas, lines: namedWithId },
  responses: {
    payloads: { ...responseEvents, ...end },
    lines: (name: string) => (name === 'done' ? lines({}, []) : named(name)),
  },
  approvals: {
    payloads: { opened: questionSchema, settled: questionSchema },
    lines: (event: string) => lines({ id, event: { const: event } }, ['event']),
  },
} as const satisfies Readonly<Record<string, Group>>;

/** @see groups */
export type GroupName = keyof typeof groups;

const entries: [GroupName, Group][] = Object.entries(groups) as [GroupName, Group][];

/** The name of a message. */
const nameOf = (group: GroupName, name: string): string => `${group}.${name}`;

/** References to the messages of a group, by name, for a channel. */
export function messagesOf(...names: readonly GroupName[]): Record<string, JsonSchema> {
  return Object.fromEntries(
    entries
      .filter(([group]) => names.includes(group))
      .flatMap(([group, { payloads }]) => Object.keys(payloads).map((name) => nameOf(group, name)))
      .map((name) => [name, { $ref: `#/components/messages/${name}` }]),
  );
}

/** All messages. The payload of a frame of an event stream is its `data`, and its other lines are the headers. */
export function componentMessages(): Record<string, JsonSchema> {
  return Object.fromEntries(
    entries.flatMap(([group, { payloads, lines: linesOf }]) =>
      Object.entries(payloads).map(([name, schema]) => [
        nameOf(group, name),
        {
          name,
          contentType: name === 'done' ? 'text/plain' : 'application/json',
          headers: linesOf ? linesOf(name) : undefined,
          payload: jsonSchemaOf(schema, 'draft-07'),
        },
      ]),
    ),
  );
}
