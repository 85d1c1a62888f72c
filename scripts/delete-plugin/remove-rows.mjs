import { nodesOf, parse } from './read-imports.mjs';

/**
 * Removes the rows of lists that need modules which are gone, with the imports and constants that only they need. A row is an element
 * of an array, a property with the name of the plugin, or a constant.
 *
 * @param {string} path
 * @param {string} text
 * @param {object} gone what is no longer there
 * @param {ReadonlySet<string>} gone.specifiers of modules
 * @param {readonly string[]} gone.names of the plugin: of its folder, and of its methods
 * @param {ReadonlySet<string>} [gone.all] the names of all plugins: lists and tables of them lose the row of this one
 * @param {boolean} [gone.hasFields] whether tools, questions and answers have properties with its name
 * @param {boolean} [gone.whole] whether the file goes as a whole if it needs the plugin
 * @returns {string | undefined} the text without these rows; `undefined` if the file goes
 */
export function removeRows(
  path,
  text,
  { specifiers, names, all = new Set(), hasFields = false, whole = false },
) {
  const program = parse(path, text);
  const parents = new Map();
  for (const node of nodesOf(program)) for (const child of childrenOf(node)) parents.set(child, node);
  const nodes = [...parents.keys()];
  const identifiers = nodes.filter((node) => /^(JSX)?Identifier$/.test(node.type) && isUse(node, parents));
  const imports = program.body.filter((/** @type {any} */ { type }) => type === 'ImportDeclaration');
  const goneImports = imports.filter((/** @type {any} */ { source }) => specifiers.has(source?.value));
  const uses = nodes.filter(
    (node) =>
      (node.type === 'ImportExpression' && specifiers.has(node.source.value)) ||
      (hasFields &&
        isNamed(node, names) &&
        (!node.shorthand || (whole && parents.get(node).type === 'ObjectPattern'))) ||
      isPart(node, names),
  );
  if (whole && goneImports.length + uses.length > 0) return undefined;
  /** @type {Set<any>} */
  const cuts = new Set(goneImports);
  const pending = goneImports.flatMap(namesOf);
  let areRows = uses.every(cut);
  for (const node of whole ? [] : nodes) if (isInListOf(all, node, names, parents)) cuts.add(node);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    areRows &&= identifiers.every((node) => node.name !== name || cut(node));
  }
  if (!areRows) return undefined;
  const constants = program.body.filter((/** @type {any} */ { type }) =>
    /^(Variable|Function)Declaration$/.test(type),
  );
  for (let before = -1; before !== cuts.size; ) {
    before = cuts.size;
    for (const node of constants) if (boundBy(node).every(isUnused)) cuts.add(node);
  }
  for (const node of imports) {
    if (goneImports.includes(node) || node.specifiers.length === 0) continue;
    const unused = node.specifiers.filter((/** @type {any} */ { local }) => isUnused(local.name));
    if (unused.length === node.specifiers.length) cuts.add(node);
    else for (const specifier of unused) cuts.add(specifier);
  }
  return without(text, [...cuts]);

  /** Cuts the row in which a node is. @returns whether it is in one */
  function cut(/** @type {any} */ node) {
    const row = rowOf(node, parents, names);
    if (row?.type === 'VariableDeclaration' && !cuts.has(row)) pending.push(...boundBy(row));
    if (row) cuts.add(row);
    return row !== undefined;
  }

  /** Whether a name was used, and is no longer. */
  function isUnused(/** @type {string} */ name) {
    const isCut = (/** @type {any} */ node) =>
      [...cuts].some(({ start, end }) => start <= node.start && node.end <= end);
    const users = identifiers.filter((node) => node.name === name);
    return users.length > 0 && users.every(isCut);
  }
}

/** Whether a node is a property with one of these names. */
function isNamed(/** @type {any} */ { type, key }, /** @type {readonly string[]} */ names) {
  return type === 'Property' && names.includes(key.name ?? key.value);
}

/** Whether a node takes the plugin's part of a flow, or of a table by plugin. */
function isPart(/** @type {any} */ { type, object, property }, /** @type {readonly string[]} */ names) {
  if (type !== 'MemberExpression' || !names.includes(property.name ?? property.value)) return false;
  return /^flow$|^clientTables$|[pP]luginWords$/.test(object.name ?? object.property?.name);
}

/** Whether a node is the row of this plugin in a list, or a table, that has only names of plugins. */
function isInListOf(
  /** @type {ReadonlySet<string>} */ all,
  /** @type {any} */ node,
  /** @type {readonly string[]} */ names,
  /** @type {Map<any, any>} */ parents,
) {
  const parent = parents.get(node);
  const rows = parent.type === 'ArrayExpression' ? parent.elements : parent.properties;
  const nameOf = (/** @type {any} */ { key, value }) => key?.name ?? key?.value ?? value;
  const isTable = /^(Array|Object)Expression$/.test(parent.type) && rows.length > 1;
  return (
    isTable && names.includes(nameOf(node)) && rows.every((/** @type {any} */ row) => all.has(nameOf(row)))
  );
}

function rowOf(
  /** @type {any} */ node,
  /** @type {Map<any, any>} */ parents,
  /** @type {readonly string[]} */ names,
) {
  for (let at = node; parents.has(at); at = parents.get(at)) {
    const parent = parents.get(at);
    const isElement = parent.type === 'ArrayExpression' && !isEntry(parent);
    const isConstant = at.type === 'VariableDeclaration' && parent.type === 'Program';
    if (isElement || isConstant || isNamed(at, names)) return at;
  }
  return undefined;
}

/** @returns {string[]} the names that a constant binds */
function boundBy(/** @type {any} */ declaration) {
  const { id } = declaration.declarations?.[0] ?? declaration;
  if (id.type === 'Identifier') return [id.name];
  const parts = id.elements ?? id.properties.map((/** @type {any} */ part) => part.value ?? part.argument);
  return parts.filter(Boolean).map((/** @type {any} */ part) => (part.left ?? part.argument ?? part).name);
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
  return !/^(VariableDeclarator|FunctionDeclaration)$/.test(parent.type) || parent.id !== node;
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
