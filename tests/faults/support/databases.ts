import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FlowStore } from '../../../lib/log/store/index.ts';
import type { SessionStore } from '../../../lib/protocol/index.ts';
import type { TestPostgres } from '../../support/postgres/postgres.ts';
import { openStore, postgresAddress, type StoreAddress, sqliteAddress } from './open-store.ts';

/** One empty database for any number of processes, and a folder for other files of a test. */
export type Database = {
  readonly address: StoreAddress;
  readonly folder: string;
  /** A store on it in this process, closed with the database. */
  open(): FlowStore & { readonly sessions: SessionStore };
  /** The stores of two instances. On SQLite they share one store in one process. */
  openTwo(): readonly [FlowStore, FlowStore];
  /** Closes everything that was opened, and deletes everything. */
  remove(): Promise<void>;
};

/** A kind of store, by name. */
export type StoreRow = readonly [name: 'SQLite' | 'Postgres', create: () => Promise<Database>];

/** One row per store. Every suite in this folder that writes to a disk runs for each. */
export function storeRows(postgres: () => TestPostgres): readonly StoreRow[] {
  return [
    ['SQLite', () => createDatabase(true, (folder) => sqliteAddress(join(folder, 'chats.sqlite')))],
    [
      'Postgres',
      () => createDatabase(false, () => postgresAddress(postgres().connectionString, postgres().newSchema())),
    ],
  ];
}

async function createDatabase(
  isShared: boolean,
  addressIn: (folder: string) => StoreAddress,
): Promise<Database> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-faults-'));
  const address = addressIn(folder);
  const opened: (FlowStore & { readonly sessions: SessionStore })[] = [];
  const open = () => {
    const store = openStore(address);
    opened.push(store);
    return store;
  };
  return {
    address,
    folder,
    open,
    openTwo() {
      const store = open();
      return [store, isShared ? store : open()];
    },
    async remove() {
      await Promise.all(opened.map((store) => store.close()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
