import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll } from 'vitest';
import { run } from '../package/support/run.ts';
import { type ClientRow, clientPackages } from './client-rows.ts';

const programs = resolve(import.meta.dirname, '../package/clients');

/** A line of an installed package. */
type Source = {
  readonly package: string;
  readonly file: string;
  readonly code: string;
  readonly line?: number;
};

/** What a client did with one task. `source`: the code of the client that prevents it, and its line. */
export type TaskResult = {
  readonly works: boolean;
  readonly reason?: string;
  readonly source?: Source;
};

/** The tasks of a client by name. */
export type ClientReport = Readonly<Record<string, TaskResult>>;

let installed: Promise<string> | undefined;

function installedOnce(): Promise<string> {
  installed ??= install();
  return installed;
}

/**
 * Runs the program of a client against a server. The first client that this repository does not have installs all of them, into
 * one folder, which is removed with the file.
 */
export async function runClient(
  { program, imports, tasks, isInstalled }: ClientRow,
  url: string,
): Promise<ClientReport> {
  const folder = isInstalled ? programs : await installedOnce();
  const printed = await run(process.execPath, [program, url, ...imports, ...(tasks ? [tasks] : [])], {
    cwd: folder,
  });
  const report: ClientReport = JSON.parse(printed);
  const results = Object.entries(report).map(async ([task, result]) => {
    const { source } = result;
    if (!source) return [task, result] as const;
    return [task, { ...result, source: await located(join(folder, program), source) }] as const;
  });
  return Object.fromEntries(await Promise.all(results));
}

async function install(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-clients-'));
  afterAll(() => rm(folder, { recursive: true }));
  await cp(programs, folder, { recursive: true });
  const manifest = { type: 'module', dependencies: clientPackages };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  // Some of the packages ask for peers that the programs do not need.
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps'];
  await run('npm', ['install', ...options], { cwd: folder });
  return folder;
}

/** Adds the line of the code in the installed package. @throws Error if the package does not contain it any more */
async function located(program: string, source: Source): Promise<Source> {
  const { package: name, file, code } = source;
  const lines = (await readFile(join(packageFolder(program, name), file), 'utf8')).split('\n');
  const index = lines.findIndex((line) => line.includes(code));
  if (index === -1) throw new Error(`${name}: ${file} does not contain ${code}.`);
  const own = clientPackages[name]?.match(/^npm:(.+)@/)?.[1];
  return { ...source, package: own ?? name, line: index + 1 };
}

function packageFolder(program: string, name: string): string {
  const folders = createRequire(program).resolve.paths(name) ?? [];
  const found = folders.map((folder) => join(folder, name)).find(existsSync);
  if (found === undefined) throw new Error(`${name} is not installed.`);
  return found;
}
