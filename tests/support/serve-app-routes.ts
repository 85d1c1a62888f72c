import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { type Countersign, closeCountersign, countersign } from '../../app/_server/countersign.ts';
import { handleUpgrade } from '../../app/_server/edge.ts';
import { serve } from '../../lib/testing/server/serve.ts';
import { appRoutes, dispatch } from './app-routes.ts';
import { sendRaw } from './raw-request.ts';

type Headers = Readonly<Record<string, string>>;

/** The reference app's routes and sockets, served over HTTP without Next. */
export type ServedRoutes = {
  readonly url: string;
  readonly instance: Countersign;
  /** Sends JSON to a path of this server, or of an earlier one. */
  send(
    method: string,
    path: string,
    headers?: Headers,
    body?: unknown,
    url?: string,
  ): ReturnType<typeof sendRaw>;
  /** Signs in through the demo login. @returns the cookie to send */
  signIn(login: { readonly name: string; readonly role?: string }): Promise<string>;
  /** Closes the server and keeps its data. */
  close(): Promise<void>;
};

const variables = [
  'HOST',
  'DATABASE_URL',
  'OPENAI_API_KEY',
  'COUNTERSIGN_ALLOWED_ORIGINS',
  'COUNTERSIGN_API_KEYS',
  'COUNTERSIGN_DEMO_LOGIN',
  'COUNTERSIGN_LOCAL_USER',
  'COUNTERSIGN_RATE_LIMIT',
  'COUNTERSIGN_RELEASE',
  'COUNTERSIGN_URL',
];

/**
 * Serves the app with the scripted model until the end of the test. Only one at a time: the app has one instance per
 * process.
 *
 * @param environment additional variables; the same `COUNTERSIGN_DATA` reuses an earlier server's data
 */
export async function serveAppRoutes(environment: Headers = {}): Promise<ServedRoutes> {
  const folder = environment.COUNTERSIGN_DATA ?? (await dataFolder());
  for (const name of variables) vi.stubEnv(name, '');
  vi.stubEnv('COUNTERSIGN_SECRET', 'a secret that only the server knows');
  vi.stubEnv('COUNTERSIGN_DEMO_DELAY_MS', '0');
  for (const [name, value] of Object.entries({ ...environment, COUNTERSIGN_DATA: folder })) {
    vi.stubEnv(name, value);
  }
  // The instance of an earlier server of this process.
  Reflect.deleteProperty(globalThis, Symbol.for('countersign'));
  const instance = await countersign();
  const server = await serve({
    fetch: dispatch(await appRoutes()),
    upgrade: handleUpgrade,
    before: instance.identity.stampPeer,
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= server.close().then(closeCountersign);
    return closing;
  };
  onTestFinished(close);
  const send: ServedRoutes['send'] = (method, path, headers = {}, body = undefined, url = server.url) =>
    sendRaw({
      method,
      url: `${url}${path}`,
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  return {
    url: server.url,
    instance,
    send,
    async signIn(login) {
      const { headers } = await send('POST', '/api/session', {}, login);
      return headers.get('set-cookie')?.split(';')[0] ?? '';
    },
    close,
  };
}

/** A folder for a server's data. Removed after the test. */
export async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-routes-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
