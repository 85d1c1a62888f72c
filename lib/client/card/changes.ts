import { isRecord, isSameJson } from '../../protocol/json.ts';

/** One difference between the proposed and the approved arguments. `undefined`: the value is absent. */
export type Change = {
  /** Keys and indexes, from the outside in; empty when the whole differs. */
  readonly path: readonly (string | number)[];
  readonly before: unknown;
  readonly after: unknown;
};

/**
 * The differences between two values, field by field. A list whose length changed differs as a whole, because
 * it is unknown which of its items moved.
 */
export function changesBetween(
  before: unknown,
  after: unknown,
  path: readonly (string | number)[] = [],
): readonly Change[] {
  if (isSameJson(before, after)) return [];
  if (isRecord(before) && isRecord(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => changesBetween(own(before, key), own(after, key), [...path, key]));
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((item, index) => changesBetween(item, after[index], [...path, index]));
  }
  return [{ path, before, after }];
}

function own(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
