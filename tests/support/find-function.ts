import { parseSync } from 'vite';
import { functionTypes, isNode, type Node, nodesOf } from './syntax-tree.ts';

/** The innermost function around a place of a TypeScript source. Lines and columns count from 1. */
function functionAt(source: string, { line, column }: { line: number; column: number }): Node {
  const before = source.split('\n').slice(0, line - 1);
  const offset = before.join('\n').length + (before.length > 0 ? 1 : 0) + column - 1;
  const around = nodesOf(parseSync('source.ts', source).program).filter(
    ({ type, start, end }) => functionTypes.includes(type) && start <= offset && offset < end,
  );
  const innermost = around.at(-1);
  if (!innermost) throw new Error(`There is no function at ${line}:${column}.`);
  return innermost;
}

/** Whether the function around a place only passes its call on: its body is one call, returned or awaited. */
export function isForwarder(source: string, place: { line: number; column: number }): boolean {
  const { body } = functionAt(source, place) as { body?: unknown };
  if (!isNode(body)) return false;
  if (body.type !== 'BlockStatement') return isCall(body);
  const [only, ...others] = body.body as Node[];
  if (!only || others.length > 0) return false;
  return isCall(only.type === 'ReturnStatement' ? only.argument : only.expression);
}

function isCall(node: unknown): boolean {
  if (!isNode(node)) return false;
  if (node.type === 'AwaitExpression') return isCall(node.argument);
  return node.type === 'CallExpression';
}
