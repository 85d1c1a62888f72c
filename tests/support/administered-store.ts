import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { postgresStore, sqliteStore } from 'countersign/store';
import { expect, inject, onTestFinished } from 'vitest';
import type { FlowStore } from '../../lib/log/store/index.ts';
import { storesOfThisRun } from './matrix.ts';
import { setUpPostgres, type TestPostgres } from './postgres/postgres.ts';

/** A store, and direct SQL access to its database, bypassing the library. */
export type AdministeredStore = {
  readonly store: FlowStore;
  administer(sql: string): Promise<void>;
  /** A second store on the same data, like that of another instance. */
  another(): FlowStore;
};

/** SQLite in its own file. Removed after the test. */
export function administeredSqlite(): AdministeredStore {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-administered-'));
  const path = join(folder, 'store.db');
  const stores: FlowStore[] = [];
  onTestFinished(async () => {
    for (const store of stores) await store.close();
    rmSync(folder, { recursive: true });
  });
  const another = () => {
    const store = sqliteStore({ path });
    stores.push(store);
    return store;
  };
  return {
    store: another(),
    another,
    administer: async (sql) => {
      const db = new DatabaseSync(path);
      db.exec(sql);
      db.close();
    },
  };
}

/** A separate schema on a real Postgres server. */
function administeredPostgres({ connectionString, newSchema, query }: TestPostgres): AdministeredStore {
  const schema = newSchema();
  const stores: FlowStore[] = [];
  onTestFinished(async () => {
    for (const store of stores) await store.close();
  });
  const another = () => {
    const store = postgresStore({ connectionString, schema });
    stores.push(store);
    return store;
  };
  return {
    store: another(),
    another,
    administer: async (sql) => {
      await query(`set search_path to ${schema}; ${sql}`);
    },
  };
}

/**
 * The rows of a table that makes the same assertions on each store: one store in `npm test`, the other in the matrix.
 * Called outside of tests, because hooks set up the database of Postgres.
 */
export function administeredStoresOfThisRun(inMain: 'SQLite' | 'Postgres') {
  const usesPostgres = (inMain === 'Postgres') !== inject('isMatrix');
  const postgres = usesPostgres ? setUpPostgres() : () => expect.fail('This run does not use Postgres here.');
  return storesOfThisRun<[string, () => AdministeredStore]>(
    [
      ['SQLite', administeredSqlite],
      ['Postgres', () => administeredPostgres(postgres())],
    ],
    inMain,
  );
}
