import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { unpackBrowser } from '../browser/launch.ts';
import { serveLater } from '../support/later.ts';
import { prepared } from '../support/prepared.ts';
import { skipWhatPassed } from './support/passed-before.ts';

const root = resolve(import.meta.dirname, '../..');
const packed = join(root, 'node_modules/.cache/countersign/packed');

declare module 'vitest' {
  interface ProvidedContext {
    /** The library as it would be published: `inject('tarball')`. */
    tarball: string;
    /** Where to wait for it. @see wait-for-tarball.ts */
    packed: string;
  }
}

/** Packs the library as `npm publish` would, if its sources changed, unless all files are skipped. */
export default async function setUp(project: TestProject): Promise<() => void> {
  const { isDue, record } = await skipWhatPassed(project);
  if (isDue) await unpackBrowser();
  const { name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  project.provide('tarball', join(packed, `${name}-${version}.tgz`));
  const { url, close } = await serveLater(isDue ? prepared('library build') : Promise.resolve());
  project.provide('packed', url);
  return () => {
    record();
    close();
  };
}
