import { CountersignError } from '../../protocol/index.ts';
import { builtinModule } from '../../runtime/builtin-module.ts';

/**
 * Node's SQLite. Requested instead of imported: where it does not exist, an import would fail before any code of ours
 * runs, with an error that does not say what to do.
 *
 * @throws CountersignError `internal` where there is no `node:sqlite`, when this file is loaded
 * @source ADR 0028
 */
export const { DatabaseSync } = loadDriver();

function loadDriver() {
  const { DatabaseSync } = builtinModule('node:sqlite') ?? {};
  if (DatabaseSync) return { DatabaseSync };
  const version = globalThis.process?.versions?.node;
  throw new CountersignError(
    'internal',
    `sqliteStore needs the module node:sqlite of Node 22.13 or newer. This is ${version ? `Node ${version}` : 'a runtime without it'}. ` +
      'Update Node, or import only postgresStore, from countersign/store/postgres.',
  );
}
