// depends on: README.md tsconfig.build.json scripts/build-styles.mjs scripts/pack-library.mjs scripts/pack-readme.mjs lib/cli/main.ts lib/flow/index.ts lib/stores/index.ts lib/react/index.ts lib/testing/index.ts
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix, resolve } from 'node:path';
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

/** Where the links and pictures of a Markdown file lead inside the package, without those of the web. */
async function linksOf(file: string): Promise<string[]> {
  const text = await unpacked(file);
  const prose = text
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/^\s*(```+)[\s\S]*?^\s*\1\s*$/gm, '')
    .replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
    .map(([, href = '']) => href)
    .filter((href) => !/^https?:/.test(href))
    .map((href) => posix.join(posix.dirname(file), href));
}

describe('the tarball', () => {
  it('contains the library with its source and documents, and nothing else', () => {
    const allowed =
      /^package\/(dist\/.+|lib\/.+|docs\/.+[.](md|svg)|docs\/protocol\/recorded\/.+[.](txt|json)|(README|CHANGELOG|CONTRIBUTING|SECURITY)[.]md|LICENSE|package[.]json)$/;
    expect(files.filter((file) => !allowed.test(file))).toEqual([]);
    for (const file of ['LICENSE', 'README.md', 'CHANGELOG.md', 'docs/README.md']) {
      expect(files).toContain(`package/${file}`);
    }
  });

  it('contains the file of every entry point, under every export condition', async () => {
    const { exports } = JSON.parse(await unpacked('package.json')) as Pick<typeof manifest, 'exports'>;
    const targets = Object.values(exports).flatMap((conditions) => Object.values(conditions));
    expect(targets.length).toBeGreaterThan(30);
    expect(targets.filter((path) => !files.includes(posix.join('package', path)))).toEqual([]);
  });

  it('contains the source of each built file, where its source map says it is', async () => {
    const maps = files.filter((file) => /^package\/dist\/.+[.]js[.]map$/.test(file));
    const sources = await Promise.all(
      maps.map(async (map) => {
        const { sources } = JSON.parse(await unpacked(map.replace('package/', ''))) as { sources: string[] };
        return sources.map((source) => posix.join(posix.dirname(map), source));
      }),
    );
    expect(maps.length).toBeGreaterThan(100);
    expect(sources.flat().filter((source) => !files.includes(source))).toEqual([]);
  });

  it('has a README without pictures, whose links lead to files of the package', async () => {
    expect(await unpacked('README.md')).not.toMatch(/^!\[/m);
    expect(await readFile(join(root, 'README.md'), 'utf8')).toMatch(/^!\[/m);
    const links = await linksOf('README.md');
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((link) => !files.some((file) => file.startsWith(`package/${link}`)))).toEqual([]);
  });

  it('keeps the `use client` directives', async () => {
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

  it('depends at run time only on what it declares, and on no Node binary', () => {
    expect(Object.keys(manifest.dependencies)).toEqual([
      '@ai-sdk/provider',
      '@ai-sdk/provider-utils',
      '@noble/hashes',
      '@opentelemetry/api',
      'eventsource-parser',
      'lru-cache',
      're2js',
    ]);
    const optional = Object.keys(manifest.peerDependenciesMeta);
    const required = Object.keys(manifest.peerDependencies).filter((name) => !optional.includes(name));
    expect(required).toEqual(['ai', 'zod']);
    expect(optional).toEqual([
      '@ai-sdk/react',
      '@modelcontextprotocol/sdk',
      'nodemailer',
      'pg',
      'react',
      'ws',
    ]);
  });

  it('names the package that `countersign mcp` needs, if it is not installed', async () => {
    const modules = join(folder, 'node_modules');
    for (const name of [...Object.keys(manifest.dependencies), 'ai', 'zod']) {
      await mkdir(dirname(join(modules, name)), { recursive: true });
      await symlink(program(name), join(modules, name));
    }
    const main = join(folder, 'package/dist/cli/main.js');
    const args = ['mcp', '--url', 'http://127.0.0.1:1', '--key', 'a-key-of-an-agent'];
    const refused = run(process.execPath, [main, ...args], { cwd: folder });
    await expect(refused).rejects.toThrow('Run: npm install @modelcontextprotocol/sdk@1');
  });

  it('passes publint', async () => {
    const said = await run(
      process.execPath,
      [program('publint/src/cli.js'), 'run', inject('tarball'), '--strict'],
      {
        cwd: root,
      },
    );
    expect(said).toContain('All good!');
  });
});
