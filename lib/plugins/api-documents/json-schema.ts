import { z } from 'zod';
import type { OpenApiPart } from '../../flow/plugin/open-api.ts';
import type { JsonSchema } from '../../server/documents/operations.ts';

/**
 * Makes JSON Schemas of schemas, with the descriptions of these parts.
 *
 * @param target OpenAPI has 2020-12, AsyncAPI draft 7
 */
export function jsonSchemasOf(
  parts: readonly Pick<OpenApiPart, 'descriptions'>[],
  target: 'draft-2020-12' | 'draft-07',
): (schema: z.ZodType) => JsonSchema {
  const texts = new Map(parts.flatMap(({ descriptions = [] }) => [...descriptions]));
  return (schema) => {
    const { $schema: _dialect, ...plain } = z.toJSONSchema(schema, {
      target,
      unrepresentable: 'any',
      io: 'input',
      override({ zodSchema, jsonSchema }) {
        const description = texts.get(zodSchema);
        if (description !== undefined) jsonSchema.description = description;
      },
    });
    return plain;
  };
}
