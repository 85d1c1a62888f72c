import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { run } from './support/run.ts';

const root = resolve(import.meta.dirname, '../..');
const program = (path: string) => join(root, 'node_modules', path);

let folder = '';
let files: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-tarball-'));
  await run('tar', ['-xzf', inject('tarball'), '-C', folder], { cwd: folder });
  const listed = await run('tar', ['-tzf', inject('tarball')], { cwd: folder });
  files = listed.trim().split('\n').sort();
});
afterAll(() => rm(folder, { recursive: true }));

const unpacked = (path: string) => readFile(join(folder, 'package', path), 'utf8');

describe('the tarball', () => {
  it('holds the built library, its words about itself, and nothing else', () => {
    const strange = files.filter(
      (file) => !/^package\/(dist\/.+|package[.]json|README[.]md|LICENSE|CHANGELOG[.]md)$/.test(file),
    );
    expect(strange).toEqual([]);
    expect(files).toContain('package/LICENSE');
    expect(files).toContain('package/README.md');
  });

  it('holds every file that a door leads to', () => {
    const targets = Object.values(manifest.exports).flatMap((door) =>
      Object.entries(door).flatMap(([condition, path]) => (condition === 'countersign-source' ? [] : [path])),
    );
    const missing = targets.filter((path) => !files.includes(`package/${path.replace('./', '')}`));
    expect(targets.length).toBeGreaterThan(10);
    expect(missing).toEqual([]);
  });

  it('keeps the mark of what runs in a browser', async () => {
    const components = files.filter((file) => /^package\/dist\/react\/.+[.]js$/.test(file));
    const marked = await Promise.all(
      components.map(async (file) => {
        const built = await unpacked(file.replace('package/', ''));
        const name = file.replace('package/dist/', '').replace(/[.]js$/, '');
        const source = await readFile(join(root, 'lib', `${name}.tsx`), 'utf8').catch(() =>
          readFile(join(root, 'lib', `${name}.ts`), 'utf8'),
        );
        return { name, built: built.startsWith("'use client'"), source: source.startsWith("'use client'") };
      }),
    );
    expect(marked.filter(({ source }) => source).length).toBeGreaterThan(3);
    expect(marked.filter(({ built, source }) => built !== source)).toEqual([]);
  });

  it('needs at run time only what it says, and no Node binary', () => {
    expect(Object.keys(manifest.dependencies)).toEqual(['@ai-sdk/provider', '@ai-sdk/provider-utils', 'ws']);
    const optional = Object.keys(manifest.peerDependenciesMeta);
    const required = Object.keys(manifest.peerDependencies).filter((name) => !optional.includes(name));
    expect(required).toEqual(['ai', 'zod']);
  });

  it('is a package that publint finds nothing wrong with', async () => {
    const said = await run(
      process.execPath,
      [program('publint/src/cli.js'), 'run', inject('tarball'), '--strict'],
      {
        cwd: root,
      },
    );
    expect(said).toContain('All good!');
  });

  it('gives every door its types, in every way of resolving that ES modules have', async () => {
    const styles = Object.keys(manifest.exports).filter((door) => door.endsWith('.css'));
    const typed = Object.keys(manifest.exports).filter((door) => !styles.includes(door));
    const attw = program('@arethetypeswrong/cli/dist/index.js');
    const options = ['--profile', 'esm-only', '--format', 'ascii'];
    const leftOut = styles.length > 0 ? ['--exclude-entrypoints', ...styles] : [];
    const said = await run(process.execPath, [attw, inject('tarball'), ...options, ...leftOut], {
      cwd: root,
    });
    expect(said.match(/node16 [(]from ESM[)]: 🟢/g)).toHaveLength(typed.length);
    expect(said.match(/bundler: 🟢/g)).toHaveLength(typed.length);
  });
});
