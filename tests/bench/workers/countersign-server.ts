import { join } from 'node:path';
import { createConcurrencyLimit } from 'countersign/http/server';
import { postgresStore, sqliteStore } from 'countersign/store';
import { serveFlow } from '../../../lib/testing/server/serve-flow.ts';
import { everyPlugin } from '../../support/every-plugin.ts';
import { benchFlow } from '../contestants/countersign.ts';
import { crowdHeader } from '../support/crowd-header.ts';
import { seedLog, tenMessages } from '../support/history.ts';
import { createTill } from '../support/payment-script.ts';
import { profileProcess } from '../support/profile-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { watchProcess } from '../support/watch-process.ts';
import { offer } from '../support/worker-process.ts';

/** Countersign behind real HTTP and a real WebSocket, on SQLite or, with a connection string, on Postgres. */
const ownerId = 'bench';
const template = await tenMessages();
/** One user measures what many would do. */
const concurrencyLimit = createConcurrencyLimit({ feeds: 10_000, sockets: 10_000, requests: 10_000 });

let store: ReturnType<typeof sqliteStore>;
let flow: ReturnType<typeof benchFlow>;

offer({
  ...watchProcess(),
  ...profileProcess(),

  /** @returns its address */
  async open(connectionString?: string, plugins: 'none' | 'all' = 'none'): Promise<string> {
    store =
      connectionString === undefined
        ? sqliteStore({ path: join(temporaryFolder(), 'server.sqlite') })
        : postgresStore({ connectionString, schema: 'served' });
    flow = benchFlow(store, createTill(), plugins === 'all' ? everyPlugin : {});
    const { url } = await serveFlow(flow, {
      authorize: ({ headers }) => ({ id: headers.get(crowdHeader) ?? ownerId, name: 'Bench' }),
      concurrencyLimit,
    });
    return url;
  },

  /** A chat of so many messages, and its transcript in memory, as after its last turn. */
  async seed(id: string, messages: number): Promise<void> {
    await seedLog(store, template, { id, ownerId, messages });
  },
});
