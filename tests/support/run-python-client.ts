import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll } from 'vitest';
import { run } from '../package/support/run.ts';
import type { ClientRow } from './client-rows.ts';
import { pythonPackages } from './python-rows.ts';
import type { ClientReport } from './run-client.ts';

const programs = resolve(import.meta.dirname, '../package/clients');

let installed: Promise<string> | undefined;

/**
 * Runs a program in Python against a server. The first one makes a virtual environment with all clients in a temporary folder,
 * which is removed with the file. Needs `python3` and its package index.
 */
export async function runPythonClient({ program }: ClientRow, url: string): Promise<ClientReport> {
  installed ??= install();
  const folder = await installed;
  const env = { PYTHONDONTWRITEBYTECODE: '1', NO_PROXY: '127.0.0.1' };
  const printed = await run(join(folder, 'bin/python'), [join(programs, program), url], { cwd: folder, env });
  return JSON.parse(printed);
}

async function install(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-python-'));
  afterAll(() => rm(folder, { recursive: true }));
  await run('python3', ['-m', 'venv', folder], { cwd: folder });
  const packages = Object.entries(pythonPackages).map(([name, version]) => `${name}==${version}`);
  const options = ['install', '--quiet', '--disable-pip-version-check', '--retries', '0'];
  await run(join(folder, 'bin/python'), ['-m', 'pip', ...options, ...packages], { cwd: folder });
  return folder;
}
