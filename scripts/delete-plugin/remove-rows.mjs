import { nodesOf, parse } from './read-imports.mjs';

/**
 * Removes the rows of a list that need modules which are gone: elements of arrays, properties, and constants, with the imports that
 * only they need.
 *
 * @param {string} path
 * @param {string} text
 * @param {(specifier: string) => boolean} isGone
 * @returns {string} the text without these rows
 * @throws Error if something else than a row needs such a module
 */
export function removeRows(path, text, isGone) {
  const program = parse(path, text);
  const parents = new Map();
  for (const node of nodesOf(program)) for (const child of childrenOf(node)) parents.set(child, node);
  const identifiers = [...parents.keys()].filter(
    (node) => node.type === 'Identifier' && isUse(node, parents),
  );
  const imports = program.body.filter((/** @type {any} */ { type }) => type === 'ImportDeclaration');
  const goneImports = imports.filter((/** @type {any} */ { source }) => isGone(source.value));
  const cuts = new Set(goneImports);
  const pending = goneImports.flatMap(namesOf);
  const dynamic = [...parents.keys()].filter(
    ({ type, source }) => type === 'ImportExpression' && isGone(source.value),
  );
  for (const node of dynamic) cut(node);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    for (const node of identifiers) if (node.name === name) cut(node);
  }
  for (const node of imports) {
    if (goneImports.includes(node) || node.specifiers.length === 0) continue;
    const unused = node.specifiers.filter((/** @type {any} */ { local }) => !isUsed(local.name));
    if (unused.length === node.specifiers.length) cuts.add(node);
    else for (const specifier of unused) cuts.add(specifier);
  }
  return without(text, [...cuts]);

  /** Cuts the row in which a node is. */
  function cut(/** @type {any} */ node) {
    const row = rowOf(node, parents);
    if (!row) throw new Error(`${path}:${lineOf(text, node.start)}: more than a row of a list`);
    if (cuts.has(row)) return;
    cuts.add(row);
    if (row.type === 'VariableDeclaration') pending.push(row.declarations[0].id.name);
  }

  function isUsed(/** @type {string} */ name) {
    const isCut = (/** @type {any} */ node) =>
      [...cuts].some(({ start, end }) => start <= node.start && node.end <= end);
    const uses = identifiers.filter((node) => node.name === name);
    return uses.length === 0 || uses.some((node) => !isCut(node));
  }
}

function rowOf(/** @type {any} */ node, /** @type {Map<any, any>} */ parents) {
  for (let at = node; parents.has(at); at = parents.get(at)) {
    const parent = parents.get(at);
    const isElement = parent.type === 'ArrayExpression' && !isEntry(parent);
    const isProperty = parent.type === 'ObjectExpression' && !isEntry(parents.get(parent));
    const isConstant = at.type === 'VariableDeclaration' && parent.type === 'Program';
    if (isElement || isProperty || isConstant) return at;
  }
  return undefined;
}

/** Whether it is a key with its value, as a `Map` takes them. */
function isEntry(/** @type {any} */ node) {
  return node?.type === 'ArrayExpression' && typeof node.elements[0]?.value === 'string';
}

/** Whether an identifier is a use of a name: not a key, a member, or its import. */
function isUse(/** @type {any} */ node, /** @type {Map<any, any>} */ parents) {
  const parent = parents.get(node);
  if (parent.type.startsWith('Import')) return false;
  if (parent.type === 'MemberExpression') return parent.object === node || parent.computed;
  if (parent.type === 'Property') return parent.value === node || parent.computed;
  return parent.type !== 'VariableDeclarator' || parent.id !== node;
}

/** @returns {any[]} */
function childrenOf(/** @type {any} */ node) {
  return Object.values(node)
    .flat()
    .filter((child) => child && typeof child === 'object' && typeof child.type === 'string');
}

/** @returns {string[]} */
function namesOf(/** @type {any} */ { specifiers }) {
  return specifiers.map((/** @type {any} */ { local }) => local.name);
}

function without(/** @type {string} */ text, /** @type {any[]} */ nodes) {
  const isWithinAnother = (/** @type {any} */ node) =>
    nodes.some((other) => other !== node && other.start <= node.start && node.end <= other.end);
  return nodes
    .filter((node) => !isWithinAnother(node))
    .toSorted((one, other) => other.start - one.start)
    .reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end).replace(/^\s*,/, ''), text);
}

function lineOf(/** @type {string} */ text, /** @type {number} */ offset) {
  return text.slice(0, offset).split('\n').length;
}
