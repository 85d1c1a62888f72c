import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { run } from './support/run.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The library as it would be published: `inject('tarball')`. */
    tarball: string;
  }
}

/** Packs the library once, as `npm publish` would. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const root = resolve(import.meta.dirname, '../..');
  const folder = await mkdtemp(join(tmpdir(), 'countersign-package-'));
  const printed = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: root });
  const name = /"filename": "([^"]+[.]tgz)"/.exec(printed)?.[1];
  if (name === undefined) throw new Error(`npm pack named no file:\n${printed}`);
  project.provide('tarball', join(folder, name));
  return () => rm(folder, { recursive: true });
}
