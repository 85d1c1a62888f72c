import { join } from 'node:path';
import { createApprovalFlow } from 'countersign';
import { createUpgradeHandler } from 'countersign/bidi/server';
import {
  createBearerIdentity,
  createConcurrencyLimit,
  createCookieIdentity,
  createRateLimit,
  createSessionHandlers,
  deriveKey,
  formerKeyIds,
  type GuardSettings,
} from 'countersign/http/server';
import { createFetchHandler } from 'countersign/sse/server';
import { postgresStore, sqliteStore } from 'countersign/store';
import { openChannels } from '../_channels/channel.ts';
import { openDemoDatabase } from '../_data/demo-database.ts';
import { openDemoMcp } from '../_mcp/client.ts';
import { chooseModel } from '../_model/index.ts';
import { createDemoTools } from '../_tools/index.ts';
import { dialects, pluginsOf } from './plugins.ts';
import { readSettings, type Settings } from './settings.ts';

const instructions =
  'You are a helpful assistant with tools. Some tools ask the user for approval first; ' +
  'if a call is denied, say so, and do not try it again unasked.';

/** Assembles the application: store, model, tools, identity, transports. */
async function open(settings: Settings) {
  const { dataFolder, databaseUrl, secret, release, requestsPerMinute, isLocal, apiKeys, localUser } =
    settings;
  // Programs may use their user's key instead of a cookie. A wrong key is refused, also from this machine.
  const bearer = createBearerIdentity(apiKeys);
  const database = openDemoDatabase(dataFolder);
  const mcp = await openDemoMcp();
  const store = databaseUrl
    ? postgresStore({ connectionString: databaseUrl, logger: console })
    : sqliteStore({ path: join(dataFolder, 'countersign.sqlite') });
  const identity = createCookieIdentity({
    secret,
    sessions: store.sessions,
    ...(!localUser && { localUser: null }),
  });
  const authorize = async (request: Request) => (await bearer(request)) ?? identity.authorize(request);
  const channels = openChannels(settings.channels, authorize);
  const flow = createApprovalFlow({
    store,
    model: chooseModel(process.env),
    instructions,
    release,
    auditKey: deriveKey(secret, 'audit'),
    mayOperate: ({ role }) => role === 'manager',
    formerIds: formerKeyIds(apiKeys),
    plugins: pluginsOf({ ...settings, subscribers: channels.subscribers, plugins: channels.plugins }),
    ...createDemoTools({ database, docsFolder: process.cwd(), mcpTools: mcp.tools }),
  });
  await flow.recover();

  // On this machine only its own host names are accepted. Elsewhere a cookie authenticates, and it is bound to its
  // host.
  const { allowedOrigins } = settings;
  const guard: GuardSettings = { allowedOrigins, ...(isLocal ? {} : { allowedHosts: ['*'] }) };
  const rateLimit = createRateLimit({ perMinute: requestsPerMinute });
  const concurrencyLimit = createConcurrencyLimit(settings.concurrency);
  const server = { ...guard, authorize, rateLimit, concurrencyLimit, dialects, logger: console };
  const sockets = createUpgradeHandler(flow, server);
  return {
    settings,
    flow,
    identity,
    authorize,
    guard,
    createLink: channels.createLink,
    channelHandlers: channels.handlersFor(flow),
    database,
    sockets,
    api: createFetchHandler(flow, server),
    sessions: createSessionHandlers({ ...server, sessions: store.sessions }),
    async close(): Promise<void> {
      // Concurrently: a peer that does not answer the socket's close must not delay handing over the runs.
      await Promise.all([sockets.close(), flow.close()]);
      await store.close();
      await mcp.close();
      database.close();
    },
  };
}

/** What the app's routes and its server share. */
export type Countersign = Awaited<ReturnType<typeof open>>;

/**
 * Next compiles routes into separate modules, so `server.ts` and the routes would each create a flow. They share this
 * slot instead. It is filled on demand, because build workers import the routes as well.
 */
const slot: { [key: symbol]: Promise<Countersign> | undefined } = globalThis as never;
const key = Symbol.for('countersign');

/** The app's single instance, opened on first use. @throws Error if the environment is invalid */
export function countersign(): Promise<Countersign> {
  const opening = slot[key] ?? Promise.resolve().then(() => open(readSettings(process.env)));
  slot[key] = opening;
  return opening;
}

/** Closes the instance permanently, if there is one. */
export async function closeCountersign(): Promise<void> {
  const opening = slot[key];
  // A request still in progress must not open another instance, which would take back the runs just handed over.
  const closed = Promise.reject(new Error('The server is shutting down.'));
  closed.catch(() => {});
  slot[key] = closed;
  await (await opening)?.close();
}
