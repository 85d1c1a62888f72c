// depends on: lib/flow/index.ts lib/react/index.ts tsconfig.build.json scripts/pack-library.mjs
import { resolve } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { rowsOfThisRun } from '../support/matrix.ts';
import { run } from './support/run.ts';

const root = resolve(import.meta.dirname, '../..');
const attw = resolve(root, 'node_modules/@arethetypeswrong/cli/dist/index.js');

const main = ['.', './react'];
const typed = Object.keys(manifest.exports).filter((entryPoint) => !entryPoint.endsWith('.css'));
/** Each is a run of several compilers. */
const groups = [
  ['the main entry points', main],
  ['the other entry points', typed.filter((entryPoint) => !main.includes(entryPoint))],
] as const;

describe('the tarball', () => {
  it.each(rowsOfThisRun(groups, (_, index) => index === 0))(
    'has types for %s, under every way to resolve ES modules',
    async (_name, entryPoints) => {
      const options = ['--profile', 'esm-only', '--format', 'ascii', '--entrypoints', ...entryPoints];
      const said = await run(process.execPath, [attw, inject('tarball'), ...options], { cwd: root });
      expect(said.match(/node16 [(]from ESM[)]: 🟢/g)).toHaveLength(entryPoints.length);
      expect(said.match(/bundler: 🟢/g)).toHaveLength(entryPoints.length);
    },
  );
});
