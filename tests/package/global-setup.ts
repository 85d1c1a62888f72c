import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { unpackBrowser } from '../browser/launch.ts';
import { run } from './support/run.ts';

const root = resolve(import.meta.dirname, '../..');

declare module 'vitest' {
  interface ProvidedContext {
    /** The library as it would be published: `inject('tarball')`. */
    tarball: string;
  }
}

/** Takes the tarball that `npm test` has made before the tests, or packs the library once, as `npm publish` would. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  await unpackBrowser();
  const packed = process.env.COUNTERSIGN_PACKED;
  if (packed !== undefined) {
    project.provide('tarball', await tarballIn(packed));
    return async () => {};
  }
  const folder = await mkdtemp(join(tmpdir(), 'countersign-package-'));
  await run('npm', ['pack', '--pack-destination', folder], { cwd: root });
  project.provide('tarball', await tarballIn(folder));
  return () => rm(folder, { recursive: true });
}

async function tarballIn(folder: string): Promise<string> {
  const name = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
  if (name === undefined) throw new Error(`${folder} contains no tarball.`);
  return join(folder, name);
}
