import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FlowStore } from '../../lib/log/store/index.ts';
import type { SessionStore } from '../../lib/protocol/index.ts';
import { postgresStore, sqliteStore } from '../../lib/stores/index.ts';
import { rowsOfThisRun } from '../support/matrix.ts';
import { stopMonotonicClock } from '../support/monotonic-clock.ts';
import { setUpPostgres } from '../support/postgres/postgres.ts';
import { type OpenedStore, type StoreGap, storeContract } from './store-contract.ts';

/** A store by way of `connect`, which is called once more for every other store on the same data. */
function opening(
  connect: () => FlowStore & { readonly sessions: SessionStore },
  remove: () => Promise<void>,
): OpenedStore {
  const stores: (FlowStore & { readonly sessions: SessionStore })[] = [];
  const another = () => {
    const store = connect();
    stores.push(store);
    return store;
  };
  const store = another();
  return {
    store,
    peer: async () => another(),
    reopen: async () => {
      await store.close();
      return another();
    },
    close: async () => {
      for (const each of stores) await each.close();
      await remove();
    },
  };
}

const postgres = setUpPostgres();

/** One row an adapter. */
const adapters: readonly [name: string, open: () => Promise<OpenedStore>, gaps: readonly StoreGap[]][] = [
  [
    'sqlite, a file',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'countersign-store-'));
      return opening(
        () => sqliteStore({ path: join(folder, 'deep', 'store.db') }),
        () => rm(folder, { recursive: true }),
      );
    },
    [],
  ],
  [
    'sqlite, in memory',
    async () =>
      opening(
        () => sqliteStore({ path: ':memory:' }),
        async () => {},
      ),
    ['durability', 'sharing'],
  ],
  [
    'postgres',
    async () => {
      const { connectionString, newSchema } = postgres();
      const schema = newSchema();
      const { restore } = stopMonotonicClock();
      return opening(
        () => postgresStore({ connectionString, schema }),
        // The schema goes with the server.
        async () => restore(),
      );
    },
    [],
  ],
];

/** In memory, SQLite keeps the same promises with the same statements, except those of its gaps. */
const adaptersOfThisRun = rowsOfThisRun(adapters, ([name]) => name !== 'sqlite, in memory');
for (const [name, open, gaps] of adaptersOfThisRun) storeContract(name, open, gaps);
