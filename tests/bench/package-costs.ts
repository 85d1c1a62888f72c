import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { npmCommand, packed } from '../../scripts/toolchain.mjs';
import { inTurns } from './support/in-turns.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

/** What installing and compiling an app takes. A time for each round, in seconds. */
export type PackageCost = {
  readonly app: string;
  readonly packages: number;
  readonly files: number;
  readonly installs: readonly number[];
  readonly typeChecks: readonly number[];
};

type App = { readonly name: string; readonly dependencies: object; readonly modules: Record<string, string> };

const root = resolve(import.meta.dirname, '../..');

/** An app that calls a model and has a page. */
const page = `
import { streamText, tool, type UIMessage } from 'ai';
import type { Metadata } from 'next';
import Link from 'next/link';
import { useState } from 'react';
import { z } from 'zod';

export const metadata: Metadata = { title: 'Payments' };
export const pay = tool({
  inputSchema: z.object({ recipient: z.string(), amount: z.number() }),
  execute: async ({ recipient }) => \`Paid \${recipient}.\`,
});
export const respond = (model: Parameters<typeof streamText>[0]['model'], prompt: string) =>
  streamText({ model, prompt, tools: { pay } }).toUIMessageStreamResponse();
export function Page({ messages }: { messages: readonly UIMessage[] }) {
  const [text, setText] = useState('');
  return <Link href="/" onClick={() => setText('')}>{messages.length} {text}</Link>;
}
`;

/** All entry points with types. */
const entries = Object.keys(manifest.exports)
  .filter((path) => !path.endsWith('.css'))
  .map((path, index) => `export * as entry${index} from '${path.replace('.', manifest.name)}';`);

/**
 * Installs an app with `ai`, `next` and `react`, without and with the packed library, and checks its types and those of all its
 * declarations. Packages come from npm's cache, which the first installation fills.
 */
export function packageCosts(rounds: number): PackageCost[] {
  execFileSync(process.execPath, [join(root, 'scripts/pack-library.mjs')], { stdio: 'inherit' });
  const [tarball] = readdirSync(packed).filter((file) => file.endsWith('.tgz'));
  if (tarball === undefined) throw new Error(`There is no tarball in ${packed}.`);
  const dependencies = versionsOf('ai', 'next', 'react', 'react-dom', 'zod');
  const apps: readonly App[] = [
    { name: 'without Countersign', dependencies, modules: { 'page.tsx': page } },
    {
      name: 'with Countersign',
      dependencies: { ...dependencies, [manifest.name]: `file:${join(packed, tarball)}` },
      modules: { 'page.tsx': page, 'entries.ts': entries.join('\n') },
    },
  ];
  for (const app of apps) install(app);
  const rows = apps.map(({ name }) => ({ app: name, packages: 0, files: 0, ...noTimes() }));
  for (const app of inTurns(apps, rounds)) {
    const row = rows[apps.indexOf(app)];
    if (row === undefined) continue;
    const { folder, seconds } = install(app);
    row.installs.push(seconds);
    row.typeChecks.push(checkTypes(folder));
    Object.assign(row, sizeOf(folder));
  }
  return rows;
}

const noTimes = () => ({ installs: [] as number[], typeChecks: [] as number[] });

/** The versions that this repository uses. */
function versionsOf(...names: string[]): Record<string, string> {
  const version = (name: string): string =>
    JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version;
  return Object.fromEntries(names.map((name) => [name, version(name)]));
}

function install({ dependencies, modules }: App): { folder: string; seconds: number } {
  const folder = temporaryFolder();
  const types = versionsOf('@types/json-schema', '@types/node', '@types/react', '@types/react-dom');
  const app = { private: true, type: 'module', dependencies, devDependencies: types };
  const compilerOptions = {
    ...{ strict: true, noEmit: true, module: 'esnext', moduleResolution: 'bundler', jsx: 'react-jsx' },
    ...{ target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable', 'esnext.disposable'], types: ['node'] },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(app));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: Object.keys(modules) }),
  );
  for (const [path, content] of Object.entries(modules)) writeFileSync(join(folder, path), content);
  const npm = npmCommand();
  const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const seconds = timed(npm.file, [...npm.args, 'install', ...flags], folder, npm.shell);
  return { folder, seconds };
}

/** @returns seconds @throws Error with what the compiler says if it finds an error */
function checkTypes(folder: string): number {
  return timed(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], folder);
}

function timed(file: string, args: readonly string[], cwd: string, shell = false): number {
  // What the npm that runs this has set for its scripts would change what another npm does.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
  const start = performance.now();
  execFileSync(file, args, {
    cwd,
    shell,
    env: env as NodeJS.ProcessEnv,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return (performance.now() - start) / 1_000;
}

function sizeOf(folder: string): { packages: number; files: number } {
  const lock = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
  const files = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true });
  return { packages: Object.keys(lock.packages).length, files: files.filter((file) => file.isFile()).length };
}
