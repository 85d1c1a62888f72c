import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { fingerprintOf, isUpToDate } from './fingerprint.mjs';
import { oneAtATime } from './one-at-a-time.mjs';
import { run } from './run.mjs';
import { cache, root } from './toolchain.mjs';

/** The inputs of the production build. */
const sources = [
  'app',
  'lib',
  'public',
  'package.json',
  'package-lock.json',
  'next.config.ts',
  'tsconfig.json',
];
const stamp = join(root, '.next/countersign-sources');

/**
 * Builds the app for production, unless the last build had the same inputs. Waits for another process that builds it.
 *
 * @param {{ node: string, env: Record<string, string> }} toolchain
 * @returns {Promise<boolean>} whether there is a build to serve
 */
export function buildApp(toolchain) {
  return oneAtATime(join(cache, 'app-build'), () => buildIfChanged(toolchain));
}

async function buildIfChanged({ node, env }) {
  const fingerprint = fingerprintOf(sources);
  if (isUpToDate(stamp, fingerprint)) {
    console.log('The build is up to date.');
    return true;
  }
  console.log('Building the app (next build) ...');
  const { code } = await run(node, ['node_modules/next/dist/bin/next', 'build'], {
    env: { ...env, NODE_ENV: 'production' },
  });
  if (code !== 0) return false;
  compress();
  writeFileSync(stamp, fingerprint);
  return true;
}

/** Once here, and not at each request: the server sends these files as they are. */
function compress() {
  const folder = join(root, '.next/static');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/[.](js|css)$/.test(name)) continue;
    const file = join(folder, name);
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
  }
}
