import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { run } from './run.ts';

const examples = resolve(import.meta.dirname, '../../../examples');

/**
 * Copies an example into a folder of its own and installs what it asks for, the library from its tarball.
 *
 * @returns the folder, which is removed with the test
 */
export async function installedExample(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `countersign-${name}-`));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const source = join(examples, name);
  await cp(source, folder, { recursive: true, filter: (path) => !/node_modules|[.]next/.test(path) });
  const file = join(folder, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  manifest.dependencies.countersign = `file:${inject('tarball')}`;
  await writeFile(file, JSON.stringify(manifest));
  await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder });
  return folder;
}
