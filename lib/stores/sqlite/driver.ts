import { CountersignError } from '../../protocol/index.ts';
import { builtinModule } from '../../runtime/builtin-module.ts';

/**
 * Node's SQLite and its file system. Requested instead of imported: where they do not exist, an import would fail before
 * any code of ours runs, with an error that does not say what to do.
 *
 * @throws CountersignError `internal` where there is no `node:sqlite`, when this file is loaded
 * @source ADR 0028
 */
export const { DatabaseSync, mkdirSync, dirname } = loadDriver();

function loadDriver() {
  const { DatabaseSync } = builtinModule('node:sqlite') ?? {};
  const { mkdirSync } = builtinModule('node:fs') ?? {};
  const { dirname } = builtinModule('node:path') ?? {};
  if (DatabaseSync && mkdirSync && dirname) return { DatabaseSync, mkdirSync, dirname };
  const version = globalThis.process?.versions?.node;
  throw new CountersignError(
    'internal',
    `sqliteStore needs node:sqlite, a module of Node 22.13 or newer. This runtime${version ? ` (Node ${version})` : ''} does not have it. ` +
      'Update Node, or import only postgresStore, from countersign/store/postgres.',
  );
}
