import { parseSync } from 'vite';
import { newerThanBrowsers } from './newer-than-browsers.ts';
import { isNode, type Node, nodesOf } from './syntax-tree.ts';

/** What other objects have by the same name. A browser without them is played in `tests/browser/older-browsers.test.ts`. */
const ambiguous = new Set(['difference', 'intersection', 'union', 'values', 'with']);

const statics = new Map<string, readonly string[]>();
const methods = new Set<string>();
for (const [owner, names] of Object.entries(newerThanBrowsers)) {
  if (!owner.endsWith('.prototype')) statics.set(owner, names);
  else if (owner !== 'Iterator.prototype') for (const name of names) methods.add(name);
}

/**
 * What JavaScript code uses that a supported browser lacks: static methods and globals by their full names, methods by
 * their names alone. Not what the code asks for first, as in `'any' in AbortSignal`.
 */
export function newerThanBrowsersIn(code: string): string[] {
  const nodes = nodesOf(parseSync('code.js', code).program);
  const asked = new Set(
    nodes.flatMap(({ type, operator, left }) =>
      type === 'BinaryExpression' && operator === 'in' && isNode(left) ? [textOf(left)] : [],
    ),
  );
  const found = new Set<string>();
  for (const { type, object, property, computed, name } of nodes) {
    if (type === 'Identifier' && statics.get('globalThis')?.includes(String(name))) found.add(String(name));
    if (type !== 'MemberExpression' || computed === true || !isNode(object) || !isNode(property)) continue;
    const member = String(property.name);
    const owner = String(object.name);
    if (statics.get(owner)?.includes(member)) found.add(`${owner}.${member}`);
    if (methods.has(member) && !ambiguous.has(member) && !asked.has(member)) found.add(member);
  }
  return [...found].sort();
}

/** The text of a literal. Minifiers write them as templates. */
function textOf({ type, value, quasis }: Node): string {
  if (type !== 'TemplateLiteral') return String(value);
  const [{ value: written } = { value: { cooked: '' } }] = quasis as { value: { cooked: string } }[];
  return written.cooked;
}
