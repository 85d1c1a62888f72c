import { readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';

const runners = new Set(['it', 'test', 'describe', 'row']);

/**
 * The test titles in a file: the first arguments of `it`, `test`, `describe` and `row`, and the `name` of table
 * rows.
 *
 * @param {string} path
 * @returns {{ title: string, line: number }[]} in the order of the file
 */
export function titlesIn(path) {
  const source = readFileSync(path, 'utf8');
  const titles = [];
  const take = (node) => {
    const title = textOf(node);
    if (title !== undefined) titles.push({ title, line: source.slice(0, node.start).split('\n').length });
  };
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      if (first && runners.has(rootOf(callee))) take(first);
    },
    Property({ key, value }) {
      if (key.type === 'Identifier' && (key.name === 'name' || key.name === 'title')) take(value);
    },
  });
  visitor.visit(parseSync(path, source).program);
  return titles;
}

/** The function at the start of a chain such as `it.skipIf(x).each(rows)`. */
function rootOf(node) {
  switch (node.type) {
    case 'Identifier':
      return node.name;
    case 'MemberExpression':
      return rootOf(node.object);
    case 'CallExpression':
      return rootOf(node.callee);
    case 'TaggedTemplateExpression':
      return rootOf(node.tag);
    default:
      return undefined;
  }
}

function textOf(node) {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral') return undefined;
  return node.quasis.map(({ value }) => value.cooked).join('…');
}
