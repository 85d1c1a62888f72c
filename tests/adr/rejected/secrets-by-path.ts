import { isRecord, type JsonValue, redacted } from '../../../lib/protocol/index.ts';

/** Rejected: each placeholder is replaced by the value at the same path, whatever was edited around it. */
export function putBackByPath(edited: unknown, original: unknown): unknown {
  if (edited === redacted) return original;
  if (Array.isArray(edited)) {
    const of: readonly unknown[] = Array.isArray(original) ? original : [];
    return edited.map((item, index) => putBackByPath(item, of[index]));
  }
  if (!isRecord(edited)) return edited;
  const of = isRecord(original) ? original : {};
  return Object.fromEntries(
    Object.entries(edited).map(([key, value]) => [key, putBackByPath(value, of[key])]),
  );
}

/** Rejected: a path hides the value it leads to, and nothing if it cannot be followed. */
export function redactWhereItLeads(value: JsonValue, path: string): JsonValue {
  const [key = '', ...rest] = path.split('.');
  if (!isRecord(value) || !(key in value)) return value;
  const inner = value[key] as JsonValue;
  const hidden = rest.length === 0 ? redacted : redactWhereItLeads(inner, rest.join('.'));
  return { ...value, [key]: hidden } as JsonValue;
}
