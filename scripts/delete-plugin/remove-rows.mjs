import { nodesOf, parse } from './read-imports.mjs';
import { boundBy, isDeclaration, isOfTests, isTable, isTest, suiteRowOf, tablesOf } from './suite-rows.mjs';

/**
 * Removes the rows of lists that need modules which are gone, with the imports and constants that only they need. A row is an element
 * of an array, a property with the name of the plugin, or a constant. In a suite, it is a test, or a row of its table, or a declaration
 * that tests share: tests are not weakened.
 *
 * @param {string} path
 * @param {string} text
 * @param {object} gone what is no longer there
 * @param {ReadonlySet<string>} gone.specifiers of modules
 * @param {readonly string[]} gone.names of the plugin: of its folder, and of its methods
 * @param {ReadonlySet<string>} [gone.all] the names of all plugins: lists and tables of them lose the row of this one
 * @param {RegExp | undefined} [gone.endpoints] the paths of its endpoints
 * @param {boolean} [gone.hasFields] whether tools, questions and answers have properties with its name
 * @param {ReadonlySet<string>} [gone.paths] of files and folders, from the root: rows that name one go
 * @param {boolean} [gone.unused] whether declarations that no one uses go as well
 * @param {boolean} [gone.whole] whether the file goes as a whole if it needs the plugin
 * @param {boolean} [gone.isSuite] whether the file has tests
 * @returns {string | undefined} the text without these rows; `undefined` if the file goes
 */
export function removeRows(
  path,
  text,
  {
    specifiers,
    names,
    all = new Set(),
    paths = new Set(),
    endpoints = undefined,
    hasFields = false,
    unused = false,
    whole = false,
    isSuite = false,
  },
) {
  const program = parse(path, text);
  const parents = new Map();
  for (const node of nodesOf(program)) for (const child of childrenOf(node)) parents.set(child, node);
  const nodes = [...parents.keys()];
  const tables = tablesOf(nodes);
  const identifiers = nodes.filter((node) => /^(JSX)?Identifier$/.test(node.type) && isUse(node, parents));
  const imports = program.body.filter((/** @type {any} */ { type }) => type === 'ImportDeclaration');
  const goneImports = imports.filter((/** @type {any} */ { source }) => specifiers.has(source?.value));
  const uses = nodes.filter(
    (node) =>
      (node.type === 'ImportExpression' && specifiers.has(node.source.value)) ||
      (hasFields &&
        isNamed(node, names) &&
        (!node.shorthand || (isSuite && parents.get(node).type === 'ObjectPattern'))) ||
      (isSuite && isPathOf(node, names) && !parents.get(node).type.startsWith('Import')) ||
      (isSuite && endpoints?.test(textOf(node) ?? '')) ||
      isPart(node, names),
  );
  if (whole && goneImports.length + uses.length > 0) return undefined;
  /** @type {Set<any>} */
  const cuts = new Set(goneImports);
  const pending = goneImports.flatMap(namesOf);
  let areRows = uses.every(cut);
  for (const node of nodes) if (isInListOf(all, node, names, parents)) cuts.add(node);
  for (const node of nodes) if (paths.has(node.value)) cuts.add(listed(node, paths, parents));
  areRows &&= areUsersCut();
  for (const node of isSuite ? nodes.filter((node) => isTable(node, parents, tables)) : []) {
    const isEmpty = node.elements.length > 0 && node.elements.every(isCut);
    if (isEmpty) areRows &&= cut(node) && areUsersCut();
  }
  if (!areRows) return undefined;
  const constants = nodes.filter((node) => isDeclaration(node) && isOfTests(parents.get(node), parents));
  const tests = nodes.filter((node) => isTest(node));
  const groups = nodes.filter((node) => isTest(node, /^describe$/));
  for (let before = -1; before !== cuts.size; ) {
    before = cuts.size;
    for (const node of constants) if (boundBy(node).every((name) => isUnused(name, node))) cuts.add(node);
    for (const node of groups) {
      const own = tests.filter(({ start, end }) => node.start <= start && end <= node.end);
      if (own.length > 0 && own.every(isCut)) cuts.add(node);
    }
  }
  if (isSuite && tests.length > 0 && tests.every(isCut)) return undefined;
  for (const node of imports) {
    if (goneImports.includes(node) || node.specifiers.length === 0) continue;
    const gone = node.specifiers.filter((/** @type {any} */ { local }) => isUnused(local.name));
    if (gone.length === node.specifiers.length) cuts.add(node);
    else for (const specifier of gone) cuts.add(specifier);
  }
  return without(text, [...cuts]);

  /** Cuts the row in which a node is. @returns whether it is in one */
  function cut(/** @type {any} */ node) {
    const isListed = isSuite && isPathInList(node, parents);
    const row = isListed ? node : isSuite ? suiteRowOf(node, parents, tables) : rowOf(node, parents, names);
    if (row && isDeclaration(row) && !cuts.has(row)) pending.push(...boundBy(row));
    if (row) cuts.add(row);
    return row !== undefined;
  }

  function isCut(/** @type {any} */ node) {
    return [...cuts].some(({ start, end }) => start <= node.start && node.end <= end);
  }

  /** Cuts the rows that use what is cut. @returns whether all are rows */
  function areUsersCut() {
    let areAll = true;
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      areAll &&= identifiers.every((node) => node.name !== name || cut(node));
    }
    return areAll;
  }

  /** Whether a name was used outside of its own declaration, and is no longer. */
  function isUnused(/** @type {string} */ name, /** @type {any} */ own = { start: 0, end: 0 }) {
    const users = identifiers.filter(
      (node) => node.name === name && !(own.start <= node.start && node.end <= own.end),
    );
    return (unused || users.length > 0) && users.every(isCut);
  }
}

/** Whether a node is a property with one of these names. */
function isNamed(/** @type {any} */ { type, key }, /** @type {readonly string[]} */ names) {
  return type === 'Property' && names.includes(key.name ?? key.value);
}

/** Whether a node is a text with a path of the plugin. */
function isPathOf(/** @type {any} */ { value }, /** @type {readonly string[]} */ [name]) {
  return `${value?.raw ?? value}/`.includes(`plugins/${name}/`);
}

/** The text of a literal; `*` is for each expression in it. */
function textOf(/** @type {any} */ { type, value, quasis }) {
  if (type === 'TemplateLiteral') return quasis.map((/** @type {any} */ { value }) => value.raw).join('*');
  return type === 'Literal' && typeof value === 'string' ? value : undefined;
}

/** Whether a node is the path of an endpoint in a list of paths. */
function isPathInList(/** @type {any} */ node, /** @type {Map<any, any>} */ parents) {
  const { type, elements } = parents.get(node);
  return (
    type === 'ArrayExpression' && elements.every((/** @type {any} */ each) => textOf(each)?.startsWith('/'))
  );
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
  const isConstant = parents.get(parent)?.type === 'TSAsExpression';
  const isList = /^(Array|Object)Expression$/.test(parent.type) && (rows.length > 1 || isConstant);
  return (
    isList && names.includes(nameOf(node)) && rows.every((/** @type {any} */ row) => all.has(nameOf(row)))
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

/** The row of a path: its entry in a table, it alone in a list of which others stay, otherwise what the outermost list has. */
function listed(
  /** @type {any} */ node,
  /** @type {ReadonlySet<string>} */ paths,
  /** @type {Map<any, any>} */ parents,
) {
  const parent = parents.get(node);
  if (parent.type === 'Property' && parent.key === node) return parent;
  const isGone = (/** @type {any} */ { value }) => paths.has(value);
  if (parent.elements?.every(isGone) === false) return node;
  let row = node;
  for (let at = node; parents.has(at); at = parents.get(at)) {
    if (parents.get(at).type === 'ArrayExpression') row = at;
  }
  return row;
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
  if (/^(TS(Property|Method)Signature|PropertyDefinition|MethodDefinition|JSXAttribute)$/.test(parent.type)) {
    return parent.computed || (parent.key !== node && parent.name !== node);
  }
  return (
    !/^(VariableDeclarator|FunctionDeclaration|TSTypeAliasDeclaration)$/.test(parent.type) ||
    parent.id !== node
  );
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
