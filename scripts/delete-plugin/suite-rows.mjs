/**
 * What goes from a suite with something that it needs.
 *
 * @param {any} node
 * @param {Map<any, any>} parents
 * @param {ReadonlySet<string>} tables names of constants that are tables of tests
 * @returns the row of a table of tests, the test, the declaration that tests share, or the group of tests; `undefined`: the suite
 */
export function suiteRowOf(node, parents, tables) {
  for (let at = node; parents.has(at); at = parents.get(at)) {
    const parent = parents.get(at);
    const isRow = parent.type === 'ArrayExpression' && isTable(parent, parents, tables);
    if (isRow || isTest(at) || (isDeclaration(at) && isOfTests(parent, parents))) return at;
    if (isTest(at, /^describe$/)) return at;
  }
  return undefined;
}

/** Whether a statement is a test. */
export function isTest(/** @type {any} */ { type, expression }, named = /^(it|test|clause)$/) {
  if (type !== 'ExpressionStatement') return false;
  let called = expression;
  while (called.type === 'CallExpression' || called.type === 'MemberExpression') {
    called = called.callee ?? called.object;
  }
  return expression.type === 'CallExpression' && named.test(called.name);
}

/** @returns {Set<string>} the names of what is passed to `.each` or `.for` */
export function tablesOf(/** @type {any[]} */ nodes) {
  return new Set(
    nodes.filter(isEach).flatMap((node) => node.arguments.map((/** @type {any} */ { name }) => name)),
  );
}

function isEach(/** @type {any} */ { type, callee }) {
  return type === 'CallExpression' && /^(each|for)$/.test(callee.property?.name);
}

/** Whether an array is a table of tests, or the value of a constant that is one. */
export function isTable(
  /** @type {any} */ array,
  /** @type {Map<any, any>} */ parents,
  /** @type {ReadonlySet<string>} */ tables,
) {
  if (array.type !== 'ArrayExpression') return false;
  let at = parents.get(array);
  while (/^TS(As|Satisfies)Expression$/.test(at.type)) at = parents.get(at);
  return isEach(at) || (at.type === 'VariableDeclarator' && tables.has(at.id.name));
}

export function isDeclaration(/** @type {any} */ { type }) {
  return /^(Variable|Function|TSTypeAlias|TSInterface)Declaration$/.test(type);
}

/** Whether a body is that of a module, or of a group of tests. */
export function isOfTests(/** @type {any} */ body, /** @type {Map<any, any>} */ parents) {
  if (body.type === 'Program') return true;
  const call = body.type === 'BlockStatement' && parents.get(parents.get(body));
  return call && call.type === 'CallExpression' && isTest(parents.get(call) ?? {}, /^describe$/);
}

/** @returns {string[]} the names that a declaration binds */
export function boundBy(/** @type {any} */ declaration) {
  const { id } = declaration.declarations?.[0] ?? declaration;
  if (id.type === 'Identifier') return [id.name];
  const parts = id.elements ?? id.properties.map((/** @type {any} */ part) => part.value ?? part.argument);
  return parts.filter(Boolean).map((/** @type {any} */ part) => (part.left ?? part.argument ?? part).name);
}
