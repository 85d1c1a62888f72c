// depends on: only its imports
import { execFile } from 'node:child_process';
import { get } from 'node:http';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '../..');
const scripts = { 'app build': 'scripts/build.mjs', 'library build': 'scripts/pack-library.mjs' };

/**
 * Waits until a gate of `npm test` has built the app, or built and packed the library. Without such a run, does it, unless it is
 * up to date.
 *
 * @throws Error if that fails
 */
export async function prepared(gate: keyof typeof scripts): Promise<void> {
  const gates = process.env.COUNTERSIGN_GATES;
  const status = gates === undefined ? 404 : await statusOf(`${gates}/${encodeURIComponent(gate)}`);
  if (status === 500) throw new Error(`The gate "${gate}" has failed. Its output says why.`);
  if (status !== 404) return;
  await promisify(execFile)(process.execPath, [scripts[gate]], { cwd: root, maxBuffer: 64_000_000 });
}

/** Waits for the response however long it takes, unlike `fetch`. */
function statusOf(url: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  get(url, (response) => resolve(response.resume().statusCode)).once('error', reject);
  return promise;
}
