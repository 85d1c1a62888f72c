import { isRecord, isSameJson, type JsonValue, redact, redacted } from '../../../protocol/index.ts';

/** Arguments with their secrets restored; `undefined` if a placeholder is where no secret was. */
type Restored = { readonly input: unknown } | undefined;

/**
 * Puts the secrets back into arguments that a person edited. The card shows a placeholder where a secret is,
 * so edited arguments also contain placeholders, and a tool must never run with one.
 *
 * A value that is returned as it was shown is replaced by the original. List items are identified only by
 * position, so a list with secrets must keep its length, and an item that keeps its secret must otherwise be
 * unchanged. Otherwise, removing one of two accounts would put the first one's number under the second one's
 * name.
 *
 * @param paths the paths of the tool's input that are secret
 * @source ADR 0011
 */
export function restoreSecrets(edited: unknown, original: JsonValue, paths: readonly string[]): Restored {
  return restore(edited, original, redact(original, paths));
}

function restore(edited: unknown, original: unknown, shown: unknown): Restored {
  if (isSameJson(edited, shown)) return { input: original };
  if (isRecord(edited) && isRecord(original) && isRecord(shown)) {
    const entries = Object.entries(edited).map(([key, value]) => {
      const restored = Object.hasOwn(shown, key)
        ? restore(value, original[key], shown[key])
        : withoutPlaceholder(value);
      return [key, restored] as const;
    });
    return gathered(entries, (pairs) => Object.fromEntries(pairs));
  }
  if (Array.isArray(edited) && Array.isArray(original) && Array.isArray(shown)) {
    if (edited.length !== shown.length) return withoutPlaceholder(edited);
    const entries = edited.map((item, index) => {
      const restored = isSameJson(item, shown[index]) ? { input: original[index] } : withoutPlaceholder(item);
      return [String(index), restored] as const;
    });
    return gathered(entries, (pairs) => pairs.map(([, item]) => item));
  }
  return withoutPlaceholder(edited);
}

function gathered(
  entries: readonly (readonly [string, Restored])[],
  build: (pairs: [string, unknown][]) => unknown,
): Restored {
  const pairs: [string, unknown][] = [];
  for (const [key, restored] of entries) {
    if (!restored) return undefined;
    pairs.push([key, restored.input]);
  }
  return { input: build(pairs) };
}

function withoutPlaceholder(value: unknown): Restored {
  return holdsPlaceholder(value) ? undefined : { input: value };
}

function holdsPlaceholder(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(redacted);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(holdsPlaceholder);
}
