import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { unpackBrowser } from './launch.ts';
import { serveApp } from './support/serve-app.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the built app answers, one server for each worker. @see appUrlOfWorker */
    appUrls: readonly string[];
  }
}

/** Builds the app if its sources changed, and serves it with the scripted model, once for each worker. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  await unpackBrowser();
  const root = resolve(import.meta.dirname, '../..');
  await promisify(execFile)(process.execPath, ['scripts/build.mjs'], { cwd: root, maxBuffer: 64_000_000 });
  const workers = Number(project.vitest.config.maxWorkers);
  const apps = await Promise.all(Array.from({ length: workers }, () => serveApp()));
  project.provide(
    'appUrls',
    apps.map(({ url }) => url),
  );
  return async () => {
    await Promise.all(apps.map(({ stop }) => stop()));
  };
}
