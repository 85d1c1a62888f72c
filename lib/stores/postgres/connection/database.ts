import type { StoreChange } from '../../../log/store/index.ts';
import { CountersignError, type Logger } from '../../../protocol/index.ts';
import { migrate } from '../migrations.ts';
import type { Statements } from '../statements.ts';
import { describeAddress } from './address.ts';
import { type Connections, createConnections } from './connections.ts';
import { connectionConfig, loadDriver } from './driver.ts';
import { listen } from './listener.ts';
import { type RetryLimit, withRetry } from './retry.ts';
import type { ServerTime } from './server-time.ts';
import { isTransient } from './transient.ts';

type DatabaseOptions = {
  readonly connectionString: string;
  readonly schema: string;
  readonly maxConnections: number;
  readonly statements: Statements;
  readonly channel: string;
  readonly retryLimit: RetryLimit;
  readonly time: ServerTime;
  readonly onNotification: (change: StoreChange) => void;
  readonly logger?: Logger;
};

/**
 * Opens a database for use: loads the driver, migrates the schema, and listens for changes, so that no change after a
 * read is missed.
 *
 * @throws CountersignError `internal`: no driver, no connection, missing privileges, or a newer schema. The message
 * names host and database for the operator, but not the password.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Connections> {
  const { connectionString, schema, maxConnections: max, retryLimit, logger } = options;
  const driver = await loadDriver();
  const config = connectionConfig(driver, connectionString);
  const connections = createConnections(driver, { connectionString, max, logger });
  try {
    await withRetry(retryLimit, () => connections.use((client) => migrate(client, schema)));
    await withRetry(retryLimit, () =>
      listen({ ...options, signal: retryLimit.signal, createClient: () => new driver.Client(config) }),
    );
    return connections;
  } catch (error) {
    await connections.close();
    throw CountersignError.is(error) ? error : openingError(connectionString, error);
  }
}

function openingError(connectionString: string, cause: unknown): CountersignError {
  const { message, code }: { message?: string; code?: unknown } = cause instanceof Error ? cause : {};
  return new CountersignError(
    'internal',
    `Postgres at ${describeAddress(connectionString)} cannot be used: ${message || code || cause}. ` +
      'Check the connection string, that the server is running, and that it accepts this user.',
    {},
    { cause, transient: isTransient(cause) },
  );
}
