// depends on: tests/upgrade
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { postgresStore, sqliteStore } from 'countersign/store';
import { inject, onTestFinished } from 'vitest';
import type { FlowStore } from '../../../lib/log/store/index.ts';
import type { TestPostgres } from '../../support/postgres/postgres.ts';

/** A kind of store, and a function that restores the older version's database for a test. */
export type FixtureRow = readonly [name: 'SQLite' | 'Postgres', restore: () => Promise<FlowStore>];

const read = (name: string) => readFile(join(inject('upgradeFixture'), name), 'utf8');

/** One row per store. Each test has its own restored database. */
export function fixtureRows(postgres: () => TestPostgres): readonly FixtureRow[] {
  return [
    ['SQLite', restoreSqlite],
    [
      'Postgres',
      async () => {
        const schema = await restoreSchema(postgres());
        return closedInTheEnd(postgresStore({ connectionString: postgres().connectionString, schema }));
      },
    ],
  ];
}

async function restoreSqlite(): Promise<FlowStore> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-upgrade-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'chats.sqlite');
  const db = new DatabaseSync(path);
  db.exec(await read('sqlite.sql'));
  db.close();
  return closedInTheEnd(sqliteStore({ path }));
}

/** @returns the name of the schema with the older version's tables */
export async function restoreSchema(postgres: TestPostgres): Promise<string> {
  const schema = postgres.newSchema();
  await postgres.query((await read('postgres.sql')).replaceAll('"countersign"', `"${schema}"`));
  return schema;
}

function closedInTheEnd(store: FlowStore): FlowStore {
  onTestFinished(() => store.close());
  return store;
}

/** The lines of a recorded file. */
export async function recorded<Line>(name: string): Promise<Line[]> {
  return (await read(name))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
