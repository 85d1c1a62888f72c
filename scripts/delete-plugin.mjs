import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { kernelFilesNaming, planDeletion } from './delete-plugin/delete-plugin.mjs';

/**
 * `node scripts/delete-plugin.mjs NAME`: deletes a plugin in a temporary copy, and checks the types, imports and lint of the rest. It
 * runs no tests. Prints the kernel files that name the plugin; more than 3 are an error.
 */
const root = resolve(import.meta.dirname, '..');
const [name = ''] = process.argv.slice(2);
const copy = mkdtempSync(join(tmpdir(), 'countersign-without-'));
try {
  const tracked = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    ...{ cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 },
  });
  for (const file of tracked.split('\0').filter(Boolean)) cpSync(join(root, file), join(copy, file));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir');

  const named = kernelFilesNaming(copy, name);
  process.stdout.write(
    `Kernel files that name it: ${named.length}\n${named.map((file) => `  ${file}\n`).join('')}`,
  );
  const { removed, changed } = planDeletion(copy, name);
  for (const file of removed) rmSync(join(copy, file));
  for (const [file, text] of changed) writeFileSync(join(copy, file), text);
  const suites = removed.filter((file) => /[.]test[.]tsx?$/.test(file));
  process.stdout.write(`Removed: ${removed.length} files, ${suites.length} of them suites\n`);
  process.stdout.write(`Rows removed from: ${[...changed.keys()].join(', ')}\n`);
  run('biome', 'check', '--write', '--diagnostic-level=error', ...changed.keys());

  const failed = [
    run('tsc', '--noEmit'),
    run('depcruise', 'lib', 'app', 'tests', 'server.ts'),
    run('biome', 'check', '--diagnostic-level=error', 'lib', 'app', 'tests'),
  ].filter((isPassed) => !isPassed);
  process.exitCode = failed.length > 0 || named.length > 3 ? 1 : 0;
} finally {
  rmSync(copy, { recursive: true, force: true });
}

/** @returns whether the command succeeds; prints its output if not */
function run(/** @type {string} */ command, /** @type {string[]} */ ...args) {
  const bin = join(root, 'node_modules/.bin', command);
  const { status, stdout, stderr } = spawnSync(bin, args, { cwd: copy, encoding: 'utf8' });
  if (status !== 0) process.stdout.write(`${command} fails:\n${stdout}${stderr}\n`);
  return status === 0;
}
