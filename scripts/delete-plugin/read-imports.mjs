import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'oxc-parser';

/**
 * The syntax tree of a source file.
 *
 * @param {string} path its name says the language
 * @param {string} text
 */
export function parse(path, text) {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  return program;
}

/**
 * What a file imports: the path of each module from the root, and the specifier with which it is imported.
 *
 * @param {string} root
 * @param {string} path from the root
 * @param {Record<string, { 'countersign-source'?: string }>} entryPoints the `exports` of package.json
 * @returns {{ path: string, specifier: string }[]} packages are left out
 */
function readImports(root, path, entryPoints) {
  const text = readFileSync(join(root, path), 'utf8');
  const { staticImports, staticExports, dynamicImports } = parseSync(path, text).module;
  const requests = [...staticImports, ...staticExports.flatMap(({ entries }) => entries), ...dynamicImports];
  const specifiers = requests.flatMap(({ moduleRequest: request }) =>
    request ? [text.slice(request.start + 1, request.end - 1)] : [],
  );
  return [...new Set(specifiers)].flatMap((specifier) => {
    const target = specifier.startsWith('.')
      ? normalize(join(dirname(path), specifier))
      : entryPoints[specifier.replace(/^countersign/, '.')]?.['countersign-source']?.slice(2);
    return target && existsSync(join(root, target)) ? [{ path: target, specifier }] : [];
  });
}

/** @returns {any[]} all nodes of a tree, parents first */
export function nodesOf(/** @type {any} */ tree) {
  const found = [];
  const rest = [tree];
  for (let node = rest.pop(); node; node = rest.pop()) {
    if (typeof node.type === 'string') found.push(node);
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) rest.push(...value.filter((item) => item && typeof item === 'object'));
      else if (value && typeof value === 'object') rest.push(value);
    }
  }
  return found;
}

/**
 * The imports of all source files.
 *
 * @param {string} root
 * @returns {Map<string, ReturnType<typeof readImports>>} by the path of the importing file, from the root
 */
export function readGraph(root) {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files = globSync('{lib,app,tests}/**/*.{ts,tsx}', { cwd: root }).concat('server.ts');
  return new Map(files.map((file) => [file, readImports(root, file, exports)]));
}
