/** A value that survives JSON unchanged. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/**
 * A plain JSON copy of any value a tool may return: `undefined` becomes `null`, a BigInt its digits,
 * a cycle the string `[circular]`. Never throws. Linear in the value's size.
 */
export function toJson(value: unknown): JsonValue {
  if (value === undefined) return null;
  const path: unknown[] = [];
  try {
    const text = JSON.stringify(value, function (this: unknown, _key, item: unknown) {
      if (typeof item === 'bigint') return item.toString();
      if (typeof item !== 'object' || item === null) return item;
      // `this` is the holder: everything above it on the path is an ancestor of `item`.
      while (path.length > 0 && path.at(-1) !== this) path.pop();
      if (path.includes(item)) return '[circular]';
      path.push(item);
      return item;
    });
    return text === undefined ? null : (JSON.parse(text) as JsonValue);
  } catch {
    return String(value);
  }
}

/**
 * One text per JSON value, whatever the order of its keys: for comparing what was shown with what came back.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : item,
  );
}

/** True for an object that is neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
