import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * What a source file depends on, as far as its text says.
 *
 * @typedef {{ paths: ReadonlySet<string>, declared?: readonly string[], isBlind: boolean }} Node `paths`: files and folders, from
 * the project's folder, that it imports or names; `declared`: those of its `// depends on:` line, which
 * replace the named ones; `isBlind`: it reads files or starts programs, and neither names nor declares one
 * @typedef {ReadonlyMap<string, Node>} Graph by path
 */

const sources = ['{lib,app,tests,scripts}/**/*.{ts,tsx,mjs,cjs,css}', '*.{ts,cjs}'];
const imports =
  /\b(?:import|export)\b(?!\s+type\b)[^;'"`]*?\bfrom\s*['"]([^'"\n]+)['"]|\bimport\s*\(?\s*['"]([^'"\n]+)['"]/g;
/** Their paths are no other names: `./server.ts` is not the one of the project's folder, and types have no effect. */
const specifiers = /\b(?:import|export)\b[^;'"`]*?\bfrom\s*['"][^'"\n]+['"]/g;
const literals = /(['"`])((?:(?!\1)[^\\\n]){1,200})\1/g;
const looksOutside =
  /from 'node:(?:child_process|worker_threads)'|\b(?:readFile|readFileSync|readdir|readdirSync|globSync|createReadStream|cp|cpSync)\(/;
const comments = /^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm;
const cssImports = /@import\s+['"]([^'"]+)['"]/g;

/**
 * Reads what each file of `lib`, `app`, `tests` and `scripts` imports, and which files and folders it names in its texts: programs
 * that it starts, and files that it reads. Imports of types alone have no effect on a run.
 *
 * @param {string} root
 * @returns {Graph}
 */
export function readGraph(root) {
  const entryPoints = entryPointsOf(root);
  const exists = memoized((path) => existsSync(join(root, path)));
  const files = sources.flatMap((pattern) => globSync(pattern, { cwd: root, exclude: isInstalled }));
  return new Map(
    files.map((file) => {
      const path = file.replaceAll('\\', '/');
      return [path, readNode(path, readFileSync(join(root, path), 'utf8'), { entryPoints, exists })];
    }),
  );
}

/** @returns {Node} */
function readNode(path, source, { entryPoints, exists }) {
  const [, declaration] = /^\/\/ depends on: (.+)$/m.exec(source) ?? [];
  const declared = declaration === 'only its imports' ? [] : declaration?.split(' ');
  const paths = new Set();
  for (const [, from, called] of source.matchAll(imports)) add(from ?? called);
  for (const [, name] of source.matchAll(cssImports)) add(name);
  const isOutside = looksOutside.test(source);
  const named = new Set();
  const isOfTests = /^(tests|scripts)\//.test(path);
  if (declared === undefined && (isOutside || isOfTests)) {
    const names = source.replaceAll(comments, '').replaceAll(specifiers, '');
    for (const [, , text] of names.matchAll(literals)) addNamed(text);
  }
  const isBlind =
    path.startsWith('tests/') &&
    isOutside &&
    declared === undefined &&
    (named.size === 0 || [...named].some(isProgramOfScripts));
  return { paths: new Set([...paths, ...(declared ?? [])]), declared, isBlind };

  /** An import. One that leads nowhere is kept: its file may have been deleted. */
  function add(name) {
    if (name.startsWith('.')) paths.add(posix.normalize(posix.join(posix.dirname(path), name)));
    else if (entryPoints.has(name)) paths.add(entryPoints.get(name));
  }

  /** A text that names a file or a folder, from this file or from the project's folder. */
  function addNamed(text) {
    const [name = ''] = text.split(/[*{]|\$\{/, 1);
    // A name without a slash may be any word.
    const isName = name.includes('/') || (isOutside && (/\.\w+$/.test(name) || topFolders.has(name)));
    if (!isName || /^[./\s]*$/.test(name) || /[\s<>:]/.test(name)) return;
    const whole = name === text ? name : name.slice(0, name.lastIndexOf('/') + 1);
    for (const candidate of [posix.join(posix.dirname(path), whole), posix.normalize(whole)]) {
      const found = candidate.replace(/\/$/, '');
      if (/^[./]*$/.test(found) || found.startsWith('..') || found.startsWith('/')) continue;
      if (found === path || found === posix.dirname(path) || !exists(found)) continue;
      paths.add(found);
      named.add(found);
    }
    if (entryPoints.has(text)) paths.add(entryPoints.get(text));
  }
}

/** It reads what its own text does not say. */
function isProgramOfScripts(path) {
  return /^scripts\/.*\.mjs$/.test(path);
}

const topFolders = new Set(['app', 'docs', 'examples', 'lib', 'scripts', 'tests']);

/** Where `countersign/sse` leads to in development and in tests. @returns {Map<string, string>} */
function entryPointsOf(root) {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return new Map(
    Object.entries(exports ?? {}).map(([path, target]) => [
      posix.join(name, path),
      posix.normalize(target['countersign-source']),
    ]),
  );
}

function isInstalled(path) {
  return /node_modules|\.next/.test(path);
}

function memoized(compute) {
  const known = new Map();
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key));
    return known.get(key);
  };
}
