import { mkdirSync, rmSync } from 'node:fs';
import { run } from './run.mjs';
import { npmCommand, root } from './toolchain.mjs';

/**
 * A gate of `npm test`: builds the library and packs it, as `npm publish` would, for the tests of the package, into a
 * folder that it empties first.
 */
const folder = process.argv[2];
const npm = npmCommand();
// What the npm that runs this has set for its scripts would change what another npm does.
for (const name of Object.keys(process.env)) if (name.startsWith('npm_')) delete process.env[name];

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const { code } = await run(npm.file, [...npm.args, 'pack', '--pack-destination', folder], {
  shell: npm.shell,
  cwd: root,
});
process.exitCode = code;
