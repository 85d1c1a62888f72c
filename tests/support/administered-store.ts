import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { postgresStore, sqliteStore } from 'countersign/store';
import { onTestFinished } from 'vitest';
import type { FlowStore } from '../../lib/log/store-port.ts';
import type { TestPostgres } from './postgres.ts';

/** A store, and the hand of whoever administers its database: SQL that passes by the library. */
export type AdministeredStore = {
  readonly store: FlowStore;
  administer(sql: string): Promise<void>;
  /** A second store on the same data, as another instance has it. */
  another(): FlowStore;
};

/** SQLite in a file of its own. Removed after the test. */
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

/** A schema of its own on a real Postgres server. */
export function administeredPostgres({
  connectionString,
  newSchema,
  query,
}: TestPostgres): AdministeredStore {
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
