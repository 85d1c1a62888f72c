import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { serveApp } from './support/serve-app.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the built app, such as `http://127.0.0.1:41234`: `inject('appUrl')`. */
    appUrl: string;
  }
}

/** Builds the app if its sources changed, serves it with the scripted model, and provides its URL to the tests. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const root = resolve(import.meta.dirname, '../..');
  await promisify(execFile)(process.execPath, ['scripts/build.mjs'], { cwd: root, maxBuffer: 64_000_000 });
  const app = await serveApp();
  project.provide('appUrl', app.url);
  return app.stop;
}
