import { createStrike, type JsonValue, redact, redacted, toJson } from '../protocol/index.ts';

/**
 * Parsed arguments without what their tool keeps secret: redacted by the tool's paths, and, since a schema
 * may give a secret another place than the paths name, wherever a secret of the given arguments stands.
 * Objects that are not plain data (`Date`, `Map`) stay unchanged, unless they contain a secret.
 *
 * @param input the arguments as they were given, which the paths lead into
 * @source ADR 0011, ADR 0020
 */
export function redactParsed(value: unknown, input: JsonValue, paths: readonly string[] = []): unknown {
  return paths.length === 0 ? value : strike(redact(value as JsonValue, paths), input, paths);
}

/** A value without the secrets of these arguments, wherever they occur in it, including names of fields. */
export function strike(value: unknown, input: JsonValue, paths: readonly string[] = []): unknown {
  return createValueStrike([{ input, paths }])(value);
}

/** The same for many values. @param calls whose secrets are removed; read at the first value */
export function createValueStrike(...calls: Parameters<typeof createStrike>): (value: unknown) => unknown {
  let struck: ((text: string) => string) | undefined;
  return (value) => {
    struck ??= createStrike(...calls);
    return strikeWithin(value, struck);
  };
}

function strikeWithin(value: unknown, struck: (text: string) => string): unknown {
  const within = (item: unknown) => strikeWithin(item, struck);
  if (typeof value === 'string') return struck(value);
  if (typeof value === 'number' || typeof value === 'bigint') {
    return struck(String(value)) === String(value) ? value : redacted;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(within);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [struck(key), within(item)]));
  }
  const text = JSON.stringify(toJson(value));
  return struck(text) === text ? value : redacted;
}
