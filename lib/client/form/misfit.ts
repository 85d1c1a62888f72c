import type { z } from 'zod';
import { isRecord } from '../../protocol/json.ts';
import type { misfitSchema } from '../../protocol/wire/misfit.ts';

/** A part of edited arguments that the server refused: `path` is a JSON Pointer. */
type Misfit = z.infer<typeof misfitSchema>;

/** Reads the `misfits` of the server's error object. Invalid entries are left out. */
export function parseMisfits(value: unknown): readonly Misfit[] {
  const given: readonly unknown[] = Array.isArray(value) ? value : [];
  return given.flatMap((one) => {
    if (!isRecord(one) || typeof one.path !== 'string') return [];
    const { path, message } = one;
    return [{ path, ...(typeof message === 'string' && { message }) }];
  });
}
