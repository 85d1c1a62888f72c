import { isRecord } from '../../../protocol/json.ts';

/** A JSON Schema, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>;

const longestChain = 6;

/** Resolves references within the document. A dangling or circular reference resolves to an empty schema. */
export function resolved(schema: Schema, root: Schema): Schema {
  let current = schema;
  for (let step = 0; step < longestChain && typeof current.$ref === 'string'; step += 1) {
    const { $ref, ...besides } = current;
    const target = targetOf(String($ref), root);
    if (!target) return {};
    current = { ...target, ...besides };
  }
  return current;
}

function targetOf(reference: string, root: Schema): Schema | undefined {
  if (!reference.startsWith('#')) return undefined;
  const target = keysOf(reference).reduce<unknown>(
    (value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    root,
  );
  return isRecord(target) ? target : undefined;
}

/** The keys of a JSON Pointer. @source RFC 6901 4 */
export function keysOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}
