/**
 * Marks what a chunk computes while it is loaded. No module of the library has side effects, so a page's bundler may omit a
 * value that the page does not need. It cannot see that of a chunk, as it could of a module that it omits as a whole. So such
 * a value becomes the result of one call that is marked as pure: a mark on `z.string().optional()` would not concern `z.string()`.
 *
 * @param {string} code
 * @param {{ readonly body: readonly object[] }} program
 * @returns {string}
 * @source ADR 0057.5
 */
export function markPure(code, { body }) {
  let marked = '';
  let end = 0;
  for (const { init } of body.flatMap(declaratorsOf)) {
    if (init?.type === 'AwaitExpression' || !isComputed(init)) continue;
    marked += `${code.slice(end, init.start)}/* @__PURE__ */ (() => (${code.slice(init.start, init.end)}))()`;
    end = init.end;
  }
  return marked + code.slice(end);
}

/** The variables of a module's top level. */
function declaratorsOf(/** @type {any} */ statement) {
  const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  return declared?.type === 'VariableDeclaration' ? declared.declarations : [];
}

const computing = new Set(['CallExpression', 'NewExpression', 'TaggedTemplateExpression', 'SpreadElement']);

/** Whether its evaluation may do something, for all that a bundler knows. */
function isComputed(/** @type {any} */ node) {
  if (node === null || typeof node !== 'object' || /Function|Class/.test(node.type)) return false;
  return computing.has(node.type) || Object.values(node).some(isComputed);
}
