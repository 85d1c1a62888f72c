import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { kernelFilesNaming, planDeletion } from './delete-plugin/delete-plugin.mjs';

/**
 * `npm run delete-plugin -- NAME...` or `--all`: deletes one plugin after the other in a temporary copy, and checks the rest. Prints a
 * row for each: its lines, the kernel files that name it (more than 3 are an error), what goes with it, and the checks that fail.
 *
 * `--tests PATH`, which may be repeated, also runs the suites below these paths.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean' },
    only: { type: 'string', multiple: true },
    tests: { type: 'string', multiple: true },
  },
});
const root = resolve(import.meta.dirname, '..');
const names = values.all
  ? globSync('lib/plugins/*/index.ts', { cwd: root })
      .map((file) => file.split('/')[2] ?? '')
      .sort()
  : positionals;

/** Each check with its command. They run in the copy. */
const checks = {
  types: ['tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', 'node_modules.tsbuildinfo'],
  lint: ['biome', 'check', '--diagnostic-level=error', 'lib', 'app', 'tests'],
  imports: ['depcruise', 'lib', 'app', 'tests', 'server.ts'],
  unused: ['knip'],
  ...(values.tests && { tests: ['vitest', 'run', '--passWithNoTests', ...values.tests] }),
};

const chosen = Object.entries(checks).filter(([check]) => values.only?.includes(check) ?? true);

const copy = mkdtempSync(join(tmpdir(), 'countersign-without-'));
try {
  const tracked = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    ...{ cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 },
  });
  for (const file of tracked.split('\0').filter(Boolean)) cpSync(join(root, file), join(copy, file));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir');
  console.log(
    '| plugin | lines | kernel files | files removed | of them suites | rows removed from | checks |',
  );
  console.log('|---|---|---|---|---|---|---|');
  for (const name of names) {
    const { row, faults } = tryWithout(name);
    console.log(`| ${[name, ...row].join(' | ')} |`);
    if (faults.length > 0) console.error(faults.join('\n'));
    if (faults.length > 0) process.exitCode = 1;
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}

/** Deletes a plugin in the copy, checks the rest, and restores it. */
function tryWithout(/** @type {string} */ name) {
  const naming = kernelFilesNaming(copy, name);
  const lines = globSync(`lib/plugins/${name}/**/*.*`, { cwd: copy }).reduce(
    (sum, file) => sum + readFileSync(join(copy, file), 'utf8').split('\n').length - 1,
    0,
  );
  const { removed, changed } = planDeletion(copy, name);
  const before = new Map(
    [...removed, ...changed.keys()].map((file) => [file, readFileSync(join(copy, file), 'utf8')]),
  );
  for (const file of removed) rmSync(join(copy, file));
  for (const [file, text] of changed) writeFileSync(join(copy, file), text);
  run(['biome', 'check', '--write', '--diagnostic-level=error', ...changed.keys()]);
  const failed = chosen.flatMap(([check, command]) => {
    const output = run(command);
    return output === undefined ? [] : [{ check, output }];
  });
  for (const [file, text] of before) writeFileSync(join(copy, file), text);
  const suites = removed.filter((file) => /[.]test[.]tsx?$/.test(file));
  const verdict =
    failed.length === 0
      ? chosen.map(([check]) => check).join(', ')
      : `FAIL: ${failed.map(({ check }) => check)}`;
  return {
    row: [lines, naming.length, removed.length, suites.length, changed.size, verdict],
    faults: [
      ...(naming.length > 3 ? [`More than 3 kernel files name it: ${naming.join(', ')}`] : []),
      ...failed.map(({ check, output }) => `${name}, ${check}:\n${output}`),
    ],
  };
}

/** Runs a command in the copy. @returns what it printed if it failed */
function run(/** @type {string[]} */ [command = '', ...args]) {
  const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin', command), args, {
    ...{ cwd: copy, encoding: 'utf8', maxBuffer: 2 ** 26 },
  });
  return status === 0 ? undefined : stdout + stderr;
}
