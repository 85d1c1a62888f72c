import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * `npm run docs:clients` writes docs/protocol/clients.md: installs the clients into a temporary folder, runs each against a
 * server on the loopback interface, and puts what it reports into the tables. Exits with 1 if a client failed otherwise.
 */
const root = join(import.meta.dirname, '..');
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'tests/e2e/clients.e2e.test.ts'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, RECORD_CLIENTS: '1' } },
);
process.exitCode = status ?? 1;
