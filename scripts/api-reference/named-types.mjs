/**
 * The names of types that a declaration mentions, and of the schemas that they are derived from, with the import specifier of inline imports
 * (`import("./route.ts").Route`).
 *
 * @param {unknown} node of the syntax tree
 * @returns {Map<string, string | undefined>}
 */
export function namedTypes(node) {
  const found = new Map();
  visit(node, found);
  return found;
}

function visit(node, found) {
  if (Array.isArray(node)) {
    for (const child of node) visit(child, found);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  if (node.type === 'TSTypeReference' && node.typeName.type === 'Identifier') {
    found.set(node.typeName.name, found.get(node.typeName.name));
  }
  // The type of a schema's fields: `WireObject<typeof questionShape>`.
  if (node.type === 'TSTypeReference') {
    for (const { type, exprName } of node.typeArguments?.params ?? []) {
      if (type === 'TSTypeQuery' && exprName.type === 'Identifier') {
        found.set(exprName.name, found.get(exprName.name));
      }
    }
  }
  if (node.type === 'TSImportType' && node.qualifier?.type === 'Identifier') {
    found.set(node.qualifier.name, node.source.value);
  }
  for (const child of Object.values(node)) visit(child, found);
}
