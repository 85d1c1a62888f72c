import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { affectedTests } from './changed/affected-tests.mjs';
import { changedFiles } from './changed/changed-files.mjs';
import { readGraph } from './changed/read-graph.mjs';
import { kernelFilesNaming, planDeletion } from './delete-plugin/delete-plugin.mjs';
import { removeRows } from './delete-plugin/remove-rows.mjs';

/**
 * `npm run delete-plugin -- NAME...` or `--all`: deletes one plugin after the other in a temporary copy, and checks the rest. Prints a
 * row for each: its lines, the kernel files that name it (more than 3 are an error), what goes with it, and the checks that fail.
 *
 * `--together` deletes all of them before it checks the rest, instead of one at a time.
 * `--tests PATH`, which may be repeated, also runs the suites below these paths that the deletion can affect.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean' },
    together: { type: 'boolean' },
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
};

/** The commands that write documents from the code. Each checks what it reads, too. */
const generators = ['api-reference.mjs', 'protocol-tests.mjs', 'compatibility.mjs'];

const chosen = Object.entries(checks).filter(([check]) => values.only?.includes(check) ?? true);

const copy = mkdtempSync(join(tmpdir(), 'countersign-without-'));
// Postgres runs as another user, from the packages of the copy.
chmodSync(copy, 0o755);
try {
  const tracked = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    ...{ cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 },
  });
  for (const file of tracked.split('\0').filter(Boolean)) cpSync(join(root, file), join(copy, file));
  // Links to files instead of one to the folder: programs that resolve it would leave the copy.
  execFileSync('cp', ['-al', join(root, 'node_modules'), join(copy, 'node_modules')]);
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=delete-plugin', '-c', 'user.email=none', 'commit', '--quiet', '--message', 'all');
  console.log(
    '| plugin | lines | kernel files that name it | with exports for it alone | files removed | of them suites | rows removed from | checks |',
  );
  console.log('|---|---|---|---|---|---|---|---|');
  for (const group of values.together ? [names] : names.map((name) => [name])) {
    const { row, faults } = tryWithout(group);
    console.log(`| ${[group.join(', '), ...row].join(' | ')} |`);
    if (faults.length > 0) console.error(faults.join('\n'));
    if (faults.length > 0) process.exitCode = 1;
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}

/** Deletes plugins in the copy, checks the rest, and restores them. */
function tryWithout(/** @type {readonly string[]} */ group) {
  const naming = group.flatMap((name) => {
    const files = kernelFilesNaming(copy, name);
    return files.length > 3 ? [`More than 3 kernel files name ${name}: ${files.join(', ')}`] : [];
  });
  const namedIn = new Set(group.flatMap((name) => kernelFilesNaming(copy, name))).size;
  const lines = group
    .flatMap((name) => globSync(`lib/plugins/${name}/**/*.*`, { cwd: copy }))
    .reduce((sum, file) => sum + readFileSync(join(copy, file), 'utf8').split('\n').length - 1, 0);
  const { removed, changed, left } = remove(group);
  const all = [
    ...(values.only
      ? []
      : generators.map((script) => /** @type {const} */ ([script, ['node', `scripts/${script}`]]))),
    ...chosen,
    ...(values.tests ? [/** @type {const} */ (['tests', testsOf(values.tests)])] : []),
  ];
  const failed = all.flatMap(([check, command]) => {
    const output = run(command);
    return output === undefined ? [] : [{ check, output }];
  });
  git('reset', '--hard', '--quiet');
  git('clean', '-fdq');
  const suites = removed.filter((file) => /[.]test[.]tsx?$/.test(file));
  const verdict =
    failed.length === 0
      ? all.map(([check]) => check).join(', ')
      : `FAIL: ${failed.map(({ check }) => check)}`;
  return {
    row: [lines, namedIn, left.join(' ') || '-', removed.length, suites.length, changed.length, verdict],
    faults: [...naming, ...failed.map(({ check, output }) => `${group.join(', ')}, ${check}:\n${output}`)],
  };
}

/**
 * Deletes plugins in the copy, and what they leave unused.
 *
 * @returns the files that are gone and those that have changed; `left`: the kernel files with parts that no file uses now
 */
function remove(/** @type {readonly string[]} */ group) {
  const planned = new Set();
  for (const name of group) {
    const { removed, changed } = planDeletion(copy, name);
    for (const file of removed) rmSync(join(copy, file), { force: true });
    rmSync(join(copy, 'lib/plugins', name), { recursive: true, force: true });
    for (const [file, text] of changed) writeFileSync(join(copy, file), text);
    for (const file of [...removed, ...changed.keys()]) planned.add(file);
  }
  let differing = changedFiles(copy, 'HEAD');
  for (let before = ''; before !== differing.join(); ) {
    before = differing.join();
    run(['knip', '--fix', '--allow-remove-files', '--fix-type', 'exports,types,files,dependencies']);
    differing = changedFiles(copy, 'HEAD');
    // What has lost its export may be used by no one.
    for (const file of differing.filter(
      (path) => /^(lib|app|tests)\/.*[.]tsx?$/.test(path) && isThere(path),
    )) {
      const text = readFileSync(join(copy, file), 'utf8');
      const rest = removeRows(file, text, { specifiers: new Set(), names: [], unused: true });
      if (rest !== undefined) writeFileSync(join(copy, file), rest);
    }
  }
  const [removed, changed] = [differing.filter((file) => !isThere(file)), differing.filter(isThere)];
  const left = differing.filter((file) => file.startsWith('lib/') && !planned.has(file));
  run([
    'biome',
    'check',
    '--write',
    '--diagnostic-level=error',
    ...changed.filter((file) => /[.](ts|tsx|json)$/.test(file)),
  ]);
  return { removed, changed, left };
}

function isThere(/** @type {string} */ file) {
  return existsSync(join(copy, file));
}

/** The suites below these paths that what differs in the copy can affect. */
function testsOf(/** @type {string[]} */ paths) {
  const tests = globSync('tests/**/*.test.{ts,tsx}', { cwd: copy });
  // All read package.json, in which only entry points are gone.
  const differing = changedFiles(copy, 'HEAD').filter((file) => file !== 'package.json');
  const affected = [...affectedTests(readGraph(copy), tests, differing).keys()];
  const chosen = affected.filter((file) => paths.some((path) => file.startsWith(path)));
  console.error(`${chosen.length} of ${tests.length} suites`);
  return ['vitest', 'run', '--passWithNoTests', ...chosen];
}

function git(/** @type {string[]} */ ...args) {
  execFileSync('git', args, { cwd: copy, stdio: 'inherit' });
}

/** Runs a command in the copy. @returns what it printed if it failed */
function run(/** @type {string[]} */ [command = '', ...args]) {
  const { status, stdout, stderr } = spawnSync(join(copy, 'node_modules/.bin', command), args, {
    ...{ cwd: copy, encoding: 'utf8', maxBuffer: 2 ** 26 },
  });
  return status === 0 ? undefined : stdout + stderr;
}
