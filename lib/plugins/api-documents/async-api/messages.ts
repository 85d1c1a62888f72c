import type { z } from 'zod';
import type { AsyncApiPart } from '../../../server/documents/async-api.ts';
import type { JsonSchema } from '../../../server/documents/operations.ts';

/** Groups of messages by name. */
type Groups = AsyncApiPart['groups'];

/** References to the messages of some groups, by name, for a channel. */
export function messagesOf(groups: Groups, ...names: readonly string[]): Record<string, JsonSchema> {
  return Object.fromEntries(
    names
      .flatMap((group) => Object.keys(groups[group]?.payloads ?? {}).map((name) => `${group}.${name}`))
      .map((name) => [name, { $ref: `#/components/messages/${name}` }]),
  );
}

/** All messages. The payload of a frame of an event stream is its `data`, and its other lines are the headers. */
export function componentMessages(
  groups: Groups,
  jsonSchemaOf: (schema: z.ZodType) => JsonSchema,
): Record<string, { readonly payload: JsonSchema } & JsonSchema> {
  return Object.fromEntries(
    Object.entries(groups).flatMap(([group, { payloads, lines }]) =>
      Object.entries(payloads).map(([name, schema]) => [
        `${group}.${name}`,
        {
          name,
          contentType: name === 'done' ? 'text/plain' : 'application/json',
          headers: lines?.(name),
          payload: jsonSchemaOf(schema),
        },
      ]),
    ),
  );
}
