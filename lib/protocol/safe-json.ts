import { CountersignError } from './errors/errors.ts';
import { type JsonValue, toJson } from './json.ts';
import { hasReservedKey } from './reserved-keys.ts';

/** Enough for any tool's arguments, and safe for recursive functions. */
const maxDepth = 64;

/**
 * Refuses JSON that is dangerous to process: nesting that could exhaust the stack of a recursive function, and
 * keys that reach an object's prototype when values are merged. Not recursive; linear in the size.
 *
 * @param what names the value in the error message, such as `The edited input`
 * @throws CountersignError `invalid-request`
 */
export function assertSafeJson(value: unknown, what: string): void {
  const danger = dangerOf(value);
  if (danger) throw new CountersignError('invalid-request', `${what} ${danger}.`);
}

/**
 * A plain JSON copy of what a person or a client wrote. Unlike {@link toJson}, it is refused if it is too deep: nothing that
 * they did not write may run, or count as shown.
 *
 * @param what as for {@link assertSafeJson}
 * @throws CountersignError `invalid-request`
 */
export function writtenJson(value: unknown, what: string): JsonValue {
  const json = toJson(value);
  assertSafeJson(json, what);
  return json;
}

/** The fault of a value, as the end of a sentence; `undefined` if there is none. @see assertSafeJson */
export function dangerOf(value: unknown): string | undefined {
  const open: { item: unknown; depth: number }[] = [{ item: value, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { item, depth } = next;
    if (typeof item !== 'object' || item === null) continue;
    if (depth >= maxDepth) return `is nested deeper than ${maxDepth} levels`;
    if (hasReservedKey(item)) return 'uses a key that is reserved (__proto__)';
    for (const child of Object.values(item)) open.push({ item: child, depth: depth + 1 });
  }
  return undefined;
}
