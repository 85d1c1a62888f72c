import { z } from 'zod';

/**
 * The schema for reading what another version of the server may send: an optional field that does not fit is left out,
 * also inside other objects. Required fields must fit. Unknown fields are dropped.
 */
export function tolerant<Schema extends z.ZodObject>(schema: Schema): Schema {
  const fields = Object.entries(schema.shape).map(([name, field]) => [name, tolerantField(field)]);
  return z.object(Object.fromEntries(fields)) as unknown as Schema;
}

/** Reads a value by a schema; `undefined` when it does not fit. Fields without a value are absent, not `undefined`. */
export function readWire<Schema extends z.ZodObject>(
  schema: Schema,
  value: unknown,
): z.infer<Schema> | undefined {
  const { data } = schema.safeParse(value);
  if (!data) return undefined;
  const present = Object.entries(data).filter(([, field]) => field !== undefined);
  return Object.fromEntries(present) as z.infer<Schema>;
}

function tolerantField(field: unknown): z.ZodType {
  if (field instanceof z.ZodOptional) return tolerantField(field.unwrap()).optional().catch(undefined);
  if (field instanceof z.ZodObject) return tolerant(field);
  // JSON has no `undefined`: a field that may hold anything may be absent.
  if (field instanceof z.ZodUnknown) return field.optional();
  return field as z.ZodType;
}
