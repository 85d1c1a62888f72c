import type { z } from 'zod';
import { CountersignError } from '../../protocol/index.ts';

/** Parses what a client sent. @throws CountersignError `invalid-request` with the schema's first message */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(value);
  if (error)
    throw new CountersignError('invalid-request', error.issues[0]?.message ?? 'The request does not fit.');
  return data as z.output<Schema>;
}

/** The text that a person wrote; `undefined` when they left it out or empty. */
export function textOrNone(text: unknown): unknown {
  return text === null || text === '' ? undefined : text;
}
