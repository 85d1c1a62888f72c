// depends on: README.md tsconfig.build.json scripts/package scripts/emit-declarations.mjs scripts/pack-library.mjs lib/cli/main.ts lib/flow/index.ts lib/stores/index.ts lib/react/index.ts lib/testing/index.ts
import { mkdir, mkdtemp, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { run } from './support/run.ts';

const root = resolve(import.meta.dirname, '../..');
const program = (path: string) => join(root, 'node_modules', path);
const optional = Object.keys(manifest.peerDependenciesMeta);

let folder = '';
let files: string[] = [];
/** The package in the `node_modules` of an app, with what it needs. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-tarball-'));
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, manifest.name), { recursive: true });
  const to = ['-C', join(modules, manifest.name), '--strip-components=1'];
  await run('tar', ['-xzf', inject('tarball'), ...to], { cwd: folder });
  const listed = await run('tar', ['-tzf', inject('tarball')], { cwd: folder });
  files = listed.trim().split('\n').sort();
  for (const name of [...Object.keys(manifest.dependencies), 'ai', 'zod']) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(program(name), join(modules, name));
  }
});
afterAll(() => rm(folder, { recursive: true }));

const inPackage = (path: string) => join(folder, 'node_modules', manifest.name, path);
const unpacked = (path: string) => readFile(inPackage(path), 'utf8');

/** Runs a module in the app. Returns what it printed. */
function runModule(source: string): Promise<string> {
  return run(process.execPath, ['--input-type=module', '--eval', source], { cwd: folder });
}

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
  it('contains code, declarations, styles and three pages, and nothing else', () => {
    const allowed = /^package\/(dist\/.+[.](js|d[.]ts|css)|(README|CHANGELOG)[.]md|LICENSE|package[.]json)$/;
    expect(files.filter((file) => !allowed.test(file))).toEqual([]);
    for (const file of ['LICENSE', 'README.md', 'CHANGELOG.md']) expect(files).toContain(`package/${file}`);
  });

  it('has at most 120 files in dist, 124 in all, 2.5 MB, and 0.6 MB packed', async () => {
    const sizes = await Promise.all(
      files.map(async (file) => (await stat(inPackage(file.replace('package/', '')))).size),
    );
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    const packedBytes = (await stat(inject('tarball'))).size;
    const built = files.filter((file) => file.startsWith('package/dist/'));
    console.log(
      `The package: ${built.length} files in dist, ${files.length} in all, ${bytes} bytes, ${packedBytes} packed.`,
    );
    expect(built.length).toBeLessThanOrEqual(120);
    expect(files.length).toBeLessThanOrEqual(124);
    expect(bytes).toBeLessThanOrEqual(2_500_000);
    expect(packedBytes).toBeLessThanOrEqual(600_000);
  });

  it('loads 5 modules for `countersign`', async () => {
    const said = await runModule(`
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
      await import('countersign');
      console.log(JSON.stringify(loaded));
    `);
    const loaded: string[] = JSON.parse(said);
    const own = loaded.filter((url) => url.includes(`/node_modules/${manifest.name}/`));
    console.log(
      `import 'countersign' loads ${own.length} modules, and ${loaded.length - own.length} of others.`,
    );
    expect(own).toHaveLength(5);
  });

  it('throws errors of one class from every entry point', async () => {
    const said = await runModule(`
      import { CountersignError } from 'countersign';
      import { createBidiServer } from 'countersign/bidi/server';
      import { emailChannel } from 'countersign/plugins/email';
      import { links } from 'countersign/plugins/links';
      import { slackChannel } from 'countersign/plugins/slack';
      import { webhook } from 'countersign/plugins/webhooks';
      import { createFetchHandler } from 'countersign/sse/server';
      import { postgresStore, sqliteStore } from 'countersign/store';
      import { scriptedModel } from 'countersign/testing';
      const given = { unknown: 1 };
      const calls = { createBidiServer, emailChannel, links, slackChannel, webhook, createFetchHandler, postgresStore, sqliteStore };
      const foreign = Object.entries(calls).filter(([name, call]) => {
        try { call(given, given); return true; } catch (error) { return !(error instanceof CountersignError && CountersignError.is(error)); }
      });
      console.log(JSON.stringify([typeof scriptedModel, ...foreign.map(([name]) => name)]));
    `);
    expect(JSON.parse(said)).toEqual(['function']);
  });

  it('contains the file of every entry point, under every export condition', async () => {
    const { exports } = JSON.parse(await unpacked('package.json')) as { exports: Record<string, object> };
    expect(Object.keys(exports)).toEqual(Object.keys(manifest.exports));
    const targets = Object.values(exports).flatMap((conditions) => Object.values(conditions));
    expect(targets.length).toBeGreaterThan(100);
    expect(targets.filter((path) => !files.includes(posix.join('package', path)))).toEqual([]);
  });

  it('has pages without pictures, whose links lead to files of the package', async () => {
    expect(await unpacked('README.md')).not.toMatch(/^!\[/m);
    expect(await readFile(join(root, 'README.md'), 'utf8')).toMatch(/^!\[/m);
    const links = (await Promise.all(['README.md', 'CHANGELOG.md'].map(linksOf))).flat();
    expect(links).toContain('CHANGELOG.md');
    expect(links.filter((link) => !files.includes(`package/${link}`))).toEqual([]);
  });

  it('depends at run time only on what it declares, and on no Node binary', () => {
    expect(Object.keys(manifest.dependencies)).toEqual([
      '@ai-sdk/provider',
      '@ai-sdk/provider-utils',
      '@noble/hashes',
      'eventsource-parser',
      'lru-cache',
      're2js',
    ]);
    const required = Object.keys(manifest.peerDependencies).filter((name) => !optional.includes(name));
    expect(required).toEqual(['ai', 'zod']);
    expect(optional).toEqual([
      '@ai-sdk/react',
      '@modelcontextprotocol/sdk',
      '@opentelemetry/api',
      'nodemailer',
      'pg',
      'react',
      'ws',
    ]);
  });

  it('has a command, which names the package that `countersign mcp` needs, if it is not installed', async () => {
    const { bin } = JSON.parse(await unpacked('package.json')) as { bin: { countersign: string } };
    const args = ['mcp', '--url', 'http://127.0.0.1:1', '--key', 'a-key-of-an-agent'];
    const refused = run(process.execPath, [inPackage(bin.countersign), ...args], { cwd: folder });
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
