import { parseWithoutReservedKeys } from './reserved-keys.ts';

/** A value that survives JSON unchanged. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** An object that survives JSON unchanged. */
export type JsonObject = { readonly [key: string]: JsonValue | undefined };

/** Deeper than any real result, and safe for recursive functions. */
const maxDepth = 500;

/**
 * A plain JSON copy of any value. Replaced: `undefined` by `null`, a BigInt by its digits, a Map by an object (or pairs), a
 * Set by a list, bytes by a list of numbers, a cycle by `[circular]`, values deeper than 500 levels by `[nested too deeply]`,
 * and an object whose own code throws by `[unreadable]`. `toJSON` counts. Half surrogate pairs become U+FFFD, and reserved
 * keys get brackets. Never throws. Linear.
 *
 * For outputs and what is only shown. `writtenJson` refuses what a person or a client writes if it is too deep.
 *
 * @source D9
 */
export function toJson(value: unknown): JsonValue {
  return plainJson(jsonText(value));
}

/** The first half of {@link toJson}. Each half takes milliseconds for a long value. Getters of plain data are called twice. */
export function jsonText(value: unknown): string {
  try {
    // Without a function for each field, it takes a fraction of the time.
    const text = isData(value, []) ? JSON.stringify(value) : textWithReplacements(value);
    return wellFormedJson(text ?? 'null');
  } catch {
    return '"[unreadable]"';
  }
}

/** Whether nothing of the value is replaced. @param ancestors the objects that contain it */
function isData(value: unknown, ancestors: object[]): boolean {
  if (typeof value !== 'object' || value === null)
    return typeof value !== 'function' && typeof value !== 'bigint';
  if (ancestors.length > maxDepth || ancestors.includes(value)) return false;
  // The `toJSON` of a date returns a text.
  if (Object.getPrototypeOf(value) === Date.prototype) return Reflect.ownKeys(value).length === 0;
  if (isReplaced(value) || typeof (value as { toJSON?: unknown }).toJSON === 'function') return false;
  ancestors.push(value);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) if (!isData(value[index], ancestors)) return false;
  } else {
    for (const key in value) if (!isData((value as Record<string, unknown>)[key], ancestors)) return false;
  }
  ancestors.pop();
  return true;
}

function textWithReplacements(value: unknown): string | undefined {
  const path: { readonly item: object; readonly plain: unknown }[] = [];
  return JSON.stringify(value, function (this: unknown, _key, item: unknown) {
    if (typeof item === 'bigint') return item.toString();
    if (typeof item !== 'object' || item === null) return item;
    const plain = plainOf(item);
    // `this` is the object that contains `item`: everything above it on the path is an ancestor of `item`.
    while (path.length > 0 && path.at(-1)?.plain !== this) path.pop();
    if (path.some((ancestor) => ancestor.item === item)) return '[circular]';
    if (path.length > maxDepth) return '[nested too deeply]';
    path.push({ item, plain });
    return plain;
  });
}

/** The second half of {@link toJson}. @param onRenamed called for each object with a reserved key */
export function plainJson(text: string, onRenamed?: () => void): JsonValue {
  try {
    return parseWithoutReservedKeys(text, onRenamed) as JsonValue;
  } catch {
    return '[nested too deeply]';
  }
}

type Replaced = Map<unknown, unknown> | Set<unknown> | ArrayBuffer | ArrayBufferView;

function isReplaced(item: object): item is Replaced {
  return (
    item instanceof Map || item instanceof Set || item instanceof ArrayBuffer || ArrayBuffer.isView(item)
  );
}

function plainOf(item: object): unknown {
  if (!isReplaced(item)) return item;
  if (item instanceof Set) return [...item];
  if (item instanceof ArrayBuffer) return [...new Uint8Array(item)];
  if (ArrayBuffer.isView(item)) return numbersOf(item);
  const isNamed = [...item.keys()].every((key) => typeof key === 'string');
  return isNamed ? Object.fromEntries(item) : [...item];
}

/** The elements of a typed array; of another view, its bytes. */
function numbersOf(view: ArrayBufferView): unknown[] {
  if (Symbol.iterator in view) return Array.from(view as ArrayBufferView & Iterable<number | bigint>);
  return [...new Uint8Array(view.buffer, view.byteOffset, view.byteLength)];
}

/** `JSON.stringify` writes halves of surrogate pairs, and nothing else, as escapes that begin with `d`. */
function wellFormedJson(json: string): string {
  if (!json.includes('\\ud')) return json;
  return json.replaceAll(/\\(?:ud[89a-f][\da-f]{2}|.)/g, (found) => (found.length > 2 ? '\ufffd' : found));
}

/** JSON that does not depend on the order of keys, to compare what was shown with what a client returns. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : item,
  );
}

/** True when two values are the same JSON, regardless of key order. */
export function isSameJson(a: unknown, b: unknown): boolean {
  // The keys usually have the same order, and this comparison is cheaper.
  return JSON.stringify(a) === JSON.stringify(b) || canonicalJson(a) === canonicalJson(b);
}

/** A deep copy of a JSON value. Much faster than `structuredClone`, which supports far more than JSON. */
export function copyJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyJson(item)]));
}

/** True for an object that is neither `null` nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; `undefined` where the text is not JSON. Never throws. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
