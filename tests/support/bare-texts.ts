// depends on: app lib/react
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseSync } from 'vite';
import { isNode, type Node, nodesOf } from './syntax-tree.ts';

/** What a component gets to render, and functions that render. */
const passedOn = /^(children|below|content|draw|form|render\w*)$/;

/** What an element has as a child, as far as the source says. `comes`: it is not always there. */
type Child = { readonly isText: boolean; readonly comes: boolean };

const text: Child = { isText: true, comes: false };
const element: Child = { isText: false, comes: false };
const functions = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/**
 * The lines of a file of components where a bare text is a sibling of an element that comes and goes, and the components that
 * render a bare text. A translator of pages replaces text nodes. React then cannot insert an element before one, or
 * remove it, and the page crashes. A text that is the only child of its element is safe.
 *
 * @see https://github.com/facebook/react/issues/11538
 */
export function bareTextsIn(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  const { program, scope } = moduleOf(file);
  const found = new Set<string>();
  const add = (node: Node, what: string) =>
    found.add(`${file}:${source.slice(0, node.start).split('\n').length} ${what}`);
  for (const node of nodesOf(program)) {
    const isList = node.type === 'JSXElement' || node.type === 'JSXFragment';
    if (isList && isTorn(node.children as Node[], scope)) add(node, 'has a text next to what comes and goes');
    const [, , ...children] = nameOf(node.callee) === 'createElement' ? (node.arguments as Node[]) : [];
    if (isTorn(children, scope)) add(node, 'has a text next to what comes and goes');
    const name = nameOf(node.id);
    if (node.type !== 'FunctionDeclaration' || !/^[A-Z]/.test(name)) continue;
    if (returnsOf(node, scope).some(({ isText }) => isText)) add(node, `${name} renders a bare text`);
  }
  return [...found];
}

/** The variables of a file, by name, and the files of its relative imports. */
type Scope = {
  readonly file: string;
  readonly variables: ReadonlyMap<string, Node>;
  readonly imports: ReadonlyMap<string, string>;
};

function moduleOf(file: string): { readonly program: unknown; readonly scope: Scope } {
  const { program } = parseSync(file, readFileSync(file, 'utf8'), { preserveParens: false });
  const variables = new Map<string, Node>();
  const imports = new Map<string, string>();
  for (const node of nodesOf(program)) {
    if (node.type === 'VariableDeclarator' && isNode(node.init)) variables.set(nameOf(node.id), node.init);
    if (node.type === 'FunctionDeclaration') variables.set(nameOf(node.id), node);
    if (node.type !== 'ImportDeclaration') continue;
    const from = resolve(dirname(file), String((node.source as Node).value));
    for (const { local } of node.specifiers as { local: Node }[]) imports.set(nameOf(local), from);
  }
  const module = { program, scope: { file, variables, imports } };

  return module;
}

/** Whether a list of children has a text, and something that is not always there. */
function isTorn(children: readonly Node[], scope: Scope): boolean {
  const shown = children.filter((child) => childrenOf(child, scope).length > 0);
  const [only] = shown;
  // The only child is replaced as a whole.
  if (shown.length === 1 && only) return alternativesOf(only).some((each) => isTornWithin(each, scope));
  const all = shown.flatMap((child) => childrenOf(child, scope));
  return all.some(({ isText }) => isText) && all.some(({ comes }) => comes);
}

function isTornWithin(node: Node, scope: Scope): boolean {
  const all = childrenOf(node, scope);
  return all.length > 1 && all.some(({ isText }) => isText) && all.some(({ comes }) => comes);
}

/** What an only child may be. */
function alternativesOf(node: Node): Node[] {
  if (node.type === 'JSXExpressionContainer') return alternativesOf(node.expression as Node);
  if (node.type === 'LogicalExpression')
    return [node.left, node.right].flatMap((each) => alternativesOf(each as Node));
  if (node.type === 'ConditionalExpression')
    return [node.consequent, node.alternate].flatMap((each) => alternativesOf(each as Node));
  return [node];
}

function childrenOf(node: Node, scope: Scope, within: readonly string[] = []): Child[] {
  const of = (other: unknown) => (isNode(other) ? childrenOf(other, scope, within) : []);
  const either = (a: readonly Child[], b: readonly Child[]) => {
    const isAlwaysText = [a, b].every(([child, ...others]) => child?.isText && others.length === 0);
    return isAlwaysText ? [text] : [...a, ...b].map((child) => ({ ...child, comes: true }));
  };
  switch (node.type) {
    case 'JSXText':
      // Translators leave white space alone.
      return String(node.value).trim() === '' ? [] : [text];
    case 'Literal':
      return typeof node.value === 'number' || String(node.value ?? '').trim() !== '' ? [text] : [];
    case 'JSXEmptyExpression':
      return [];
    case 'JSXExpressionContainer':
      return of(node.expression);
    case 'JSXFragment':
      return (node.children as Node[]).flatMap(of);
    case 'ArrayExpression':
      return (node.elements as Node[]).flatMap(of);
    case 'JSXElement':
      return [{ ...element, comes: mayVanish(nameOf((node.openingElement as Node).name), scope) }];
    case 'ConditionalExpression':
      return either(of(node.consequent), of(node.alternate));
    case 'ChainExpression':
      return of(node.expression);
    case 'LogicalExpression':
      return either(node.operator === '&&' ? [] : of(node.left), of(node.right));
    case 'Identifier': {
      const name = nameOf(node);
      if (name === 'undefined') return [];
      if (passedOn.test(name)) return [{ ...element, comes: true }];
      const value = scope.variables.get(name);
      return value && !within.includes(name) ? childrenOf(value, scope, [...within, name]) : [text];
    }
    case 'CallExpression': {
      const { callee, arguments: given } = node as unknown as { callee: Node; arguments: Node[] };
      if (nameOf(callee) === 'createElement') return [element];
      if (passedOn.test(nameOf(callee))) return [{ ...element, comes: true }];
      const isMap = ['map', 'flatMap'].includes(nameOf(callee.property));
      const [each] = given;
      return isMap && each
        ? returnsOf(each, scope, within).map((child) => ({ ...child, comes: true }))
        : [text];
    }
    default:
      return [text];
  }
}

/** What a function returns, without those within it. */
function returnsOf(node: Node, scope: Scope, within: readonly string[] = []): Child[] {
  if (!functions.includes(node.type) || !isNode(node.body)) return [text];
  if (node.body.type !== 'BlockStatement') return childrenOf(node.body, scope, within);
  return ownReturns(node.body).flatMap((value) => childrenOf(value, scope, within));
}

function ownReturns(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(ownReturns);
  if (typeof value !== 'object' || value === null) return [];
  if (isNode(value) && functions.includes(value.type)) return [];
  if (isNode(value) && value.type === 'ReturnStatement')
    return isNode(value.argument) ? [value.argument] : [];
  return Object.values(value).flatMap(ownReturns);
}

/** Whether a component may render nothing. Those of other packages always render something. */
function mayVanish(name: string, scope: Scope): boolean {
  if (!/^[A-Z]/.test(name)) return false;
  const from = scope.imports.get(name);
  if (from !== undefined) return existsSync(from) && mayVanish(name, moduleOf(from).scope);
  const component = scope.variables.get(name);
  return component !== undefined && functions.includes(component.type) && returnsNothing(component);
}

function returnsNothing(component: Node): boolean {
  const returned =
    (component.body as Node).type === 'BlockStatement' ? ownReturns(component.body) : [component.body];
  const canBeNothing = (value: unknown): boolean =>
    isNode(value) &&
    ((value.type === 'Literal' && value.value === null) ||
      value.type === 'LogicalExpression' ||
      (value.type === 'ConditionalExpression' && [value.consequent, value.alternate].some(canBeNothing)));
  return returned.some(canBeNothing);
}

function nameOf(node: unknown): string {
  return isNode(node) && typeof node.name === 'string' ? node.name : '';
}
