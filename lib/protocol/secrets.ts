import { isRecord, type JsonValue } from './json.ts';

/**
 * Which parts of a tool's input and output are secret: dotted paths, `*` for every key or item, an empty
 * string for the whole. What runs and the model get everything; what people, logs and audit see is redacted.
 * A key that holds a dot itself has no path of its own: name the object it is in, or use `*`.
 *
 * @example { input: ['card.number', 'accounts.*.iban'], output: [''] }
 */
export type Secrets = { readonly input?: readonly string[]; readonly output?: readonly string[] };

/** What stands in place of a secret. */
export const redacted = '[redacted]';

/** Shorter values, such as a digit, stand in every other text by chance. */
const shortestStruck = 3;

/**
 * A copy of a value without its secrets. A path that ends at a text before its last key hides that text: it may be
 * the whole object, not parsed. Likewise it hides an object that is no plain data. Redacting twice changes nothing more.
 */
export function redact(value: JsonValue, paths: readonly string[] = []): JsonValue {
  return paths.reduce<JsonValue>((current, path) => replaceAt(current, keysOf(path), () => redacted), value);
}

/**
 * A text for people about a call, such as its error, with each secret value of the call struck out: as it is, and
 * as it stands in JSON and in a URL. Values of less than 3 characters stay, and so does what a tool derives from a
 * secret.
 *
 * @param value what the paths lead into: the call's whole input
 */
export function strikeOut(text: string, value: JsonValue, paths: readonly string[] = []): string {
  const secrets = new Set<string>();
  for (const path of paths) {
    replaceAt(value, keysOf(path), (secret) => {
      for (const leaf of leavesOf(secret)) secrets.add(leaf);
      return secret;
    });
  }
  return (
    [...secrets]
      .filter((secret) => secret.length >= shortestStruck)
      .flatMap(spellings)
      // A secret may be part of another one: the longer goes first, or its rest would stay.
      .sort((a, b) => b.length - a.length)
      .reduce((struck, secret) => struck.replaceAll(secret, redacted), text)
  );
}

function keysOf(path: string): readonly string[] {
  return path === '' ? [] : path.split('.');
}

function replaceAt(
  value: JsonValue,
  [key, ...rest]: readonly string[],
  replace: (secret: JsonValue) => JsonValue,
): JsonValue {
  if (key === undefined || typeof value === 'string' || isOpaque(value)) return replace(value);
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      key === '*' || key === String(index) ? replaceAt(item, rest, replace) : item,
    );
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      key === '*' || key === name ? replaceAt(item as JsonValue, rest, replace) : item,
    ]),
  ) as JsonValue;
}

/** A parsed value such as a `Map`: no path can be followed into it. */
function isOpaque(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== Object.prototype && prototype !== null;
}

function leavesOf(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf);
  return [];
}

function spellings(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())];
}
