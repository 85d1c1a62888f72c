import type { Wake } from '../../log/store-port.ts';
import { CountersignError, type Logger } from '../../protocol/index.ts';
import { describeAddress } from './address.ts';
import { type Connections, createConnections } from './connections.ts';
import { connectionConfig, loadDriver } from './driver.ts';
import { listen } from './listener.ts';
import { migrate } from './migrations.ts';
import { type Patience, patiently } from './patience.ts';
import type { ServerTime } from './server-time.ts';
import type { Statements } from './statements.ts';
import { isTransient } from './transient.ts';

type DatabaseOptions = {
  readonly connectionString: string;
  readonly schema: string;
  readonly maxConnections: number;
  readonly statements: Statements;
  readonly channel: string;
  readonly patience: Patience;
  readonly time: ServerTime;
  readonly onWake: (wake: Wake) => void;
  readonly logger?: Logger;
};

/**
 * Opens a database ready to be used: driver loaded, schema current, and listening for changes, so that nothing
 * read from it can change unnoticed.
 *
 * @throws CountersignError `internal`: no driver, no connection, no right, or a newer schema. Host and database are
 *   named for whoever starts the program; the password is not
 */
export async function openDatabase(options: DatabaseOptions): Promise<Connections> {
  const { connectionString, schema, maxConnections: max, patience, logger } = options;
  const driver = await loadDriver();
  const config = connectionConfig(driver, connectionString);
  const connections = createConnections(driver, { connectionString, max, logger });
  try {
    await patiently(patience, () => connections.use((client) => migrate(client, schema)));
    await patiently(patience, () =>
      listen({ ...options, signal: patience.signal, createClient: () => new driver.Client(config) }),
    );
    return connections;
  } catch (error) {
    await connections.close();
    throw error instanceof CountersignError ? error : openingError(connectionString, error);
  }
}

function openingError(connectionString: string, cause: unknown): CountersignError {
  const { message, code }: { message?: string; code?: unknown } = cause instanceof Error ? cause : {};
  return new CountersignError(
    'internal',
    `Postgres at ${describeAddress(connectionString)} cannot be used: ${message || code || cause}. ` +
      'Check the connection string, and that the server runs and lets this user in.',
    {},
    { cause, transient: isTransient(cause) },
  );
}
