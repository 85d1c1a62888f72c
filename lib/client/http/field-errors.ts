import type { z } from 'zod';
import { isRecord } from '../../protocol/json.ts';
import type { fieldErrorSchema } from '../../protocol/wire/field-error.ts';

/** A part of edited arguments that the server refused: `path` is a JSON Pointer. */
export type FieldError = z.infer<typeof fieldErrorSchema>;

/** Reads the `fieldErrors` of the server's error object. Invalid entries are left out. */
export function parseFieldErrors(value: unknown): readonly FieldError[] {
  const given: readonly unknown[] = Array.isArray(value) ? value : [];
  return given.flatMap((one) => {
    if (!isRecord(one) || typeof one.path !== 'string') return [];
    const { path, message, pattern } = one;
    return [
      {
        path,
        message: typeof message === 'string' ? message : undefined,
        pattern: typeof pattern === 'string' ? pattern : undefined,
      },
    ];
  });
}
