import { createCoverage } from './covered-ranges.ts';
import { isRecord, type JsonValue } from './json.ts';

/**
 * Marks parts of a tool's input and output as secret. Each entry is a dotted path; `*` matches every key or
 * item, and an empty string matches the whole value. The tool and the model receive the full values. People,
 * logs and the audit record see redacted values. A key that contains a dot has no path of its own: name the
 * object that contains it, or use `*`.
 *
 * @example { input: ['card.number', 'accounts.*.iban'], output: [''] }
 */
export type Secrets = { readonly input?: readonly string[]; readonly output?: readonly string[] };

/** The text that replaces a secret. */
export const redacted = '[redacted]';

/** Shorter values, such as a single digit, occur in other texts by chance. */
const shortestStruck = 3;

/**
 * Copies a value without its secrets. If a path reaches a string before its last key, the whole string is
 * hidden, because it may be the unparsed object. The same applies to an object that is not plain data.
 * Redacting twice has no further effect.
 */
export function redact(value: JsonValue, paths: readonly string[] = []): JsonValue {
  return paths.reduce<JsonValue>((current, path) => replaceAt(current, keysOf(path), () => redacted), value);
}

/**
 * Removes the secret values of a call from a text about it, such as its error message. Matches each value as
 * it is, as JSON, and URL-encoded. Values of fewer than 3 characters remain, and so do values that a tool
 * derives from a secret. For many texts, use `createStrike`.
 *
 * @param value the call's whole input, which the paths refer to
 */
export function strikeOut(text: string, value: JsonValue, paths: readonly string[] = []): string {
  return paths.length === 0 ? text : createStrike([{ input: value, paths }])(text);
}

/**
 * The same for any number of texts, and for the secrets of several calls. Finds the secrets once, and takes one pass over each text.
 * What secrets cover together is removed together, so that no rest of two that overlap remains.
 */
export function createStrike(
  calls: Iterable<{ readonly input: JsonValue; readonly paths?: readonly string[] | undefined }>,
): (text: string) => string {
  const secrets = new Set<string>();
  for (const { input, paths = [] } of calls) {
    for (const path of paths) {
      replaceAt(input, keysOf(path), (secret) => {
        for (const leaf of leavesOf(secret)) secrets.add(leaf);
        return secret;
      });
    }
  }
  const coverage = createCoverage(
    [...secrets].filter((secret) => secret.length >= shortestStruck).flatMap(spellings),
  );
  return (text) => {
    let [struck, end] = ['', 0];
    for (const { from, to } of coverage(text)) {
      struck += text.slice(end, from) + redacted;
      end = to;
    }
    return struck + text.slice(end);
  };
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

/** A parsed value such as a `Map`, which paths cannot address. */
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
