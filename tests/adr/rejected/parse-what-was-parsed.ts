import type { z } from 'zod';

/**
 * The rejected log: it keeps the parsed arguments, so the form for editing shows those, and what a person changes in
 * them is parsed again.
 */
export function runAfterEdit(schema: z.ZodType, given: unknown, edit: (shown: object) => unknown): unknown {
  const shown = schema.parse(given) as object;
  return schema.parse(edit(shown));
}
