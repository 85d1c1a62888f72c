import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fingerprintOf, isUpToDate } from './fingerprint.mjs';
import { oneAtATime } from './one-at-a-time.mjs';
import { run } from './run.mjs';
import { cache, npmCommand, packed, root } from './toolchain.mjs';

/**
 * A gate of `npm test`: builds the library and packs it, as `npm publish` would, for the tests of the package, unless the
 * last tarball had the same inputs. It works in a copy of the project, because packing changes the README and `dist/`,
 * which other gates and tests read at the same time.
 */
const sources = [
  'lib',
  'docs',
  'scripts/build-styles.mjs',
  'scripts/pack-readme.mjs',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];
const stamp = join(packed, 'sources');
const fingerprint = fingerprintOf(sources);

process.exitCode = await oneAtATime(join(cache, 'library-build'), async () => {
  if (!isUpToDate(stamp, fingerprint)) return packCopy();
  console.log('The tarball is up to date.');
  return 0;
});

async function packCopy() {
  const npm = npmCommand();
  // What the npm that runs this has set for its scripts would change what another npm does.
  for (const name of Object.keys(process.env)) if (name.startsWith('npm_')) delete process.env[name];
  const copy = mkdtempSync(join(tmpdir(), 'countersign-pack-'));
  try {
    for (const path of sources.filter((path) => existsSync(join(root, path)))) {
      cpSync(join(root, path), join(copy, path), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
    rmSync(packed, { recursive: true, force: true });
    mkdirSync(packed, { recursive: true });
    const args = [...npm.args, 'pack', '--loglevel=error', '--pack-destination', packed];
    const { code } = await run(npm.file, args, { shell: npm.shell, cwd: copy });
    if (code === 0) writeFileSync(stamp, fingerprint);
    return code;
  } finally {
    rmSync(copy, { recursive: true });
  }
}
