import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fingerprintOf, isUpToDate } from './fingerprint.mjs';
import { oneAtATime } from './one-at-a-time.mjs';
import { bundleCode } from './package/code.mjs';
import { bundleDeclarations } from './package/declarations.mjs';
import { entriesOf, isStylesheet, packedManifest } from './package/manifest.mjs';
import { packedPage, pages } from './package/pages.mjs';
import { packedStyles } from './package/styles.mjs';
import { run } from './run.mjs';
import { cache, npmCommand, packed, root } from './toolchain.mjs';

/**
 * `npm run package`, and a gate of `npm test`: builds the package in a folder of its own, and packs it into the tarball that
 * `npm publish` takes, unless the last tarball had the same inputs.
 */
const sources = [
  ...['lib', 'scripts/package', 'scripts/emit-declarations.mjs', 'scripts/pack-library.mjs'],
  ...[...pages, 'LICENSE', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'],
];
const stamp = join(packed, 'sources');
const fingerprint = fingerprintOf(sources);

process.chdir(root);
process.exitCode = await oneAtATime(join(cache, 'library-build'), async () => {
  if (!isUpToDate(stamp, fingerprint)) return pack();
  console.log('The tarball is up to date.');
  return 0;
});

async function pack() {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-pack-'));
  try {
    await writePackage(folder);
    rmSync(packed, { recursive: true, force: true });
    mkdirSync(packed, { recursive: true });
    const npm = npmCommand();
    // What the npm that runs this has set for its scripts would change what another npm does.
    for (const name of Object.keys(process.env)) if (name.startsWith('npm_')) delete process.env[name];
    const args = [...npm.args, 'pack', '--loglevel=error', '--pack-destination', packed];
    const { code } = await run(npm.file, args, { shell: npm.shell, cwd: folder });
    if (code === 0) writeFileSync(stamp, fingerprint);
    return code;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} folder */
async function writePackage(folder) {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const entries = [...entriesOf(manifest)];
  const modules = entries.filter(([file]) => !isStylesheet(file));
  await bundleCode(new Map(modules), join(folder, 'dist'));
  await bundleDeclarations(new Map(modules.filter(([file]) => file !== 'cli')), join(folder, 'dist'));
  for (const [file, source] of entries.filter(([file]) => isStylesheet(file))) {
    const target = join(folder, 'dist', file);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, await packedStyles(source));
  }
  for (const page of pages) writeFileSync(join(folder, page), packedPage(readFileSync(page, 'utf8')));
  copyFileSync('LICENSE', join(folder, 'LICENSE'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packedManifest(manifest), null, 2)}\n`);
}
