import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
/** Functions of Node's modules that Node 20 does not have. */
const newer = ['globSync', 'glob', 'registerHooks', 'enableCompileCache', 'DatabaseSync'];

type Import = { readonly names: readonly string[]; readonly from: string };

function importsOf(file: string): Import[] {
  const source = readFileSync(file, 'utf8');
  return [...source.matchAll(/^(?:import|export)\s+(?:([^'"]*?)\s+from\s+)?['"]([^'"]+)['"]/gm)].map(
    ([, names = '', from = '']) => ({ names: names.split(/[\s{},]+/).filter(Boolean), from }),
  );
}

/** The imports of a file and of all that it imports by path. */
function allImportsOf(file: string, seen = new Set<string>()): Import[] {
  if (seen.has(file)) return [];
  seen.add(file);
  return importsOf(file).flatMap((each) => [
    each,
    ...(each.from.startsWith('.') ? allImportsOf(join(dirname(file), each.from), seen) : []),
  ]);
}

it.each(['start', 'test', 'dev', 'bench', 'simulate', 'mutants'])(
  'npm run %s begins without installed packages, on Node 20',
  (name) => {
    const imports = allImportsOf(join(root, `scripts/${name}.mjs`));
    expect(imports.length).toBeGreaterThan(2);
    expect(imports.map(({ from }) => from).filter((from) => !/^(node:|\.)/.test(from))).toEqual([]);
    expect(imports.flatMap(({ names }) => names).filter((used) => newer.includes(used))).toEqual([]);
  },
);
