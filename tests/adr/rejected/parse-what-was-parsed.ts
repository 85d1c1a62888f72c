import type { z } from 'zod';

/**
 * The rejected log: it keeps the parsed arguments, so the edit form shows those, and an edit of them is parsed a second
 * time.
 */
export function runAfterEdit(schema: z.ZodType, given: unknown, edit: (shown: object) => unknown): unknown {
  const shown = schema.parse(given) as object;
  return schema.parse(edit(shown));
}
