import { isRecord, type JsonValue } from './json.ts';

/**
 * Which parts of a tool's input and output are secret: dotted paths, `*` for every key or item, an empty
 * string for the whole. What runs gets everything; what people, logs and audit see is redacted.
 *
 * @example { input: ['card.number', 'accounts.*.iban'], output: [''] }
 */
export type Secrets = { readonly input?: readonly string[]; readonly output?: readonly string[] };

/** What stands in place of a secret. */
export const redacted = '[redacted]';

/** A copy of a value without its secrets; the same value when none of the paths is there. */
export function redact(value: JsonValue, paths: readonly string[] = []): JsonValue {
  return paths.reduce<JsonValue>(
    (current, path) => redactAt(current, path === '' ? [] : path.split('.')),
    value,
  );
}

function redactAt(value: JsonValue, [key, ...rest]: readonly string[]): JsonValue {
  if (key === undefined) return redacted;
  if (Array.isArray(value)) {
    return value.map((item, index) => (key === '*' || key === String(index) ? redactAt(item, rest) : item));
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      key === '*' || key === name ? redactAt(item as JsonValue, rest) : item,
    ]),
  ) as JsonValue;
}
