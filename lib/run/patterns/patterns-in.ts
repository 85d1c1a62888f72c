import { isRecord } from '../../protocol/index.ts';

/** Keywords whose values are no schemas. */
const data = new Set(['default', 'const', 'enum', 'examples']);

/** The patterns of a JSON Schema, wherever they are, and perhaps some that no value can meet. Each once. */
export function patternsIn(schema: unknown): readonly string[] {
  const found = new Set<string>();
  // A schema may be nested deeper than functions can be called.
  const waiting = [schema];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (Array.isArray(next)) waiting.push(...next);
    if (!isRecord(next)) continue;
    for (const [key, value] of Object.entries(next)) {
      if (key === 'pattern' && typeof value === 'string') found.add(value);
      else if (key === 'patternProperties' && isRecord(value))
        for (const name of Object.keys(value)) found.add(name);
      if (!data.has(key) && typeof value === 'object') waiting.push(value);
    }
  }
  return [...found];
}
