import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import project from '../../../package.json' with { type: 'json' };
import { run } from './run.ts';

const root = resolve(import.meta.dirname, '../../..');
const examples = join(root, 'examples');

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

/**
 * Puts what programs load of the library from its tarball into a folder, without its sources, its types and its source maps, which
 * are five sixths of its files.
 *
 * @returns the library's folder
 */
export async function unpackLibrary(folder: string): Promise<string> {
  const library = join(folder, 'node_modules', project.name);
  await mkdir(library, { recursive: true });
  const without = ['*.map', '*.d.ts'].map((files) => `--exclude=${files}`);
  const wanted = ['package/package.json', 'package/dist'];
  const to = ['-C', library, '--strip-components=1'];
  await run('tar', ['-xzf', inject('tarball'), ...to, ...without, ...wanted], { cwd: folder });
  return library;
}

/**
 * Puts what programs load of the library into a folder, with the packages that it declares. Those and `packages` are links to
 * the packages of this project, so it takes no npm; nothing else is found from the folder.
 */
export async function linkLibrary(folder: string, packages: readonly string[]): Promise<void> {
  const modules = join(folder, 'node_modules');
  await unpackLibrary(folder);
  for (const name of [...Object.keys(project.dependencies), ...packages]) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(root, 'node_modules', name), join(modules, name));
  }
}
