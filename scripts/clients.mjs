import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * `npm run docs:clients` writes docs/protocol/clients.md: installs the clients into a temporary folder, runs each against a
 * server on the loopback interface, and puts what it reports into the tables. Exits with 1 if a client failed otherwise.
 *
 * With `-- --python` it writes the tables of the clients in Python instead, which no test repeats. Needs `python3`.
 */
const root = join(import.meta.dirname, '..');
const [file, recorded] = process.argv.includes('--python')
  ? ['tests/e2e/clients-python.e2e.test.ts', 'python']
  : ['tests/e2e/clients.e2e.test.ts', '1'];
const { status } = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', file], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, RECORD_CLIENTS: recorded },
});
process.exitCode = status ?? 1;
