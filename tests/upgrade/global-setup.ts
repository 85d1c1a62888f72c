import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with what the previous version left. */
    upgradeFixture: string;
  }
}

const run = promisify(execFile);

/** Provides the recording of the previous version. Until a version is published, the current one makes it. */
export default async function setup({ provide }: TestProject) {
  const published = join(import.meta.dirname, 'fixture');
  if (existsSync(published)) {
    provide('upgradeFixture', published);
    return;
  }
  const root = join(import.meta.dirname, '../..');
  // Within the checkout, because the recorded engine imports its packages.
  const folder = await mkdtemp(join(root, 'node_modules/.cache/upgrade-'));
  const generator = join(import.meta.dirname, 'make-fixture.mjs');
  await run(process.execPath, ['--conditions=countersign-source', generator, root, folder], {
    timeout: 60_000,
  });
  provide('upgradeFixture', folder);
  return () => rm(folder, { recursive: true });
}
