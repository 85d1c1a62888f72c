import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UIMessage } from 'ai';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type AppServer, startAppServer } from '../../support/app-server.ts';
import { connectBidi } from '../../support/connect-bidi.ts';
import { connectSse } from '../../support/connect-sse.ts';
import { setUpPostgres } from '../../support/postgres/postgres.ts';
import { prepared } from '../../support/prepared.ts';
import type { RawResponse } from '../../support/raw-client.ts';
import type { ClientMode } from './persistent-client.ts';

/** One of the two instances. */
export type Place = 0 | 1;
export const places: readonly Place[] = [0, 1];

/** The other instance. */
export const otherThan = (place: Place): Place => (place === 0 ? 1 : 0);

/** A chat as returned by `GET /api/chat/{id}`. */
type Stored = {
  readonly messages: readonly UIMessage[];
  readonly run: { readonly status: string };
  readonly open?: string;
};

/** The text of the last message. */
export function textOf({ messages }: Stored): string {
  return (messages.at(-1)?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
}

const delayMs = 40;

/**
 * Two processes of the app in production mode on two ports, with one Postgres, one secret and one data folder, for the
 * tests of a file. A stopped process is restarted before the next test.
 */
export function setUpAppPair() {
  const postgres = setUpPostgres();
  const servers = new Map<Place, AppServer>();
  let folder = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-two-instances-'));
    await prepared('app build');
  });
  beforeEach(async () => {
    const missing = places.filter((place) => !servers.has(place));
    const started = missing.map(async (place) => {
      const server = await startAppServer({
        DATABASE_URL: postgres().connectionString,
        COUNTERSIGN_SECRET: 'one secret for both instances',
        COUNTERSIGN_DATA: folder,
        COUNTERSIGN_DEMO_DELAY_MS: String(delayMs),
      });
      servers.set(place, server);
    });
    await Promise.all(started);
  });
  afterAll(async () => {
    await Promise.all([...servers.values()].map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true });
  });

  function at(place: Place): AppServer {
    const server = servers.get(place);
    if (!server) throw new Error(`Instance ${place} is down.`);
    return server;
  }

  async function listPaid(place: Place): Promise<string[]> {
    const { payments } = await (await fetch(`${at(place).url}/api/demo/payments`)).json();
    return payments.map((payment: { recipient: string }) => payment.recipient);
  }

  return {
    url: (place: Place) => at(place).url,

    /** Ends an instance with SIGKILL. */
    async kill(place: Place): Promise<void> {
      const server = at(place);
      servers.delete(place);
      await server.kill();
    },

    /** Ends an instance with SIGTERM. */
    stop(place: Place): ReturnType<AppServer['stop']> {
      const server = at(place);
      servers.delete(place);
      return server.stop();
    },

    /** Sends JSON. */
    send: (place: Place, method: string, path: string, body: object = {}) =>
      fetch(`${at(place).url}${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),

    /** A chat as one instance returns it. */
    async stored(place: Place, chatId: string): Promise<Stored> {
      const response = await fetch(`${at(place).url}/api/chat/${chatId}`);
      if (!response.ok) throw new Error(`Chat ${chatId} could not be read: ${await response.text()}`);
      return response.json();
    },

    /** Starts a turn, and disconnects when it is acknowledged. */
    async begin(place: Place, chatId: string, text: string): Promise<void> {
      const client = await connectSse(at(place).url);
      const message = { id: `user-of-${chatId}`, role: 'user', parts: [{ type: 'text', text }] };
      const response = await client.open({ id: chatId, trigger: 'submit-message', message });
      await response.next();
      await response.return();
    },

    /** Reads the current message from its start. */
    async follow(mode: ClientMode, place: Place, chatId: string): Promise<RawResponse> {
      const client = await (mode === 'SSE' ? connectSse : connectBidi)(at(place).url);
      const response = await client.resume(chatId);
      if (!response) throw new Error(`There is nothing to follow in ${chatId}.`);
      return response;
    },

    /** Which of these recipients were paid, once per executed payment. */
    async paid(place: Place, ...recipients: string[]): Promise<string[]> {
      return (await listPaid(place)).filter((name) => recipients.includes(name));
    },
  };
}
