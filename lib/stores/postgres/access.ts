import { CountersignError, type Logger } from '../../protocol/index.ts';
import type { Row } from '../rows.ts';
import { createSubscribers, type Subscribers } from '../subscribers.ts';
import type { Connections } from './connection/connections.ts';
import { openDatabase } from './connection/database.ts';
import { type RetryLimit, withRetry } from './connection/retry.ts';
import { createServerTime, type ServerTime } from './connection/server-time.ts';
import { isTransient } from './connection/transient.ts';
import { type Statement, type Statements, statementsFor } from './statements.ts';

export type Access = {
  readonly statements: Statements;
  readonly subscribers: Subscribers;
  readonly time: ServerTime;
  /** The channel of notifications. */
  readonly channel: string;
  readonly retryLimit: RetryLimit;
  /** The connections. The first call connects, and migrates the schema; after a failure, the next one tries again. */
  open(): Promise<Connections>;
  /** @throws CountersignError `internal` after `close` */
  assertOpen(): void;
  /** Replaces errors of the database by those of the store. */
  withStoreErrors<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Runs a statement, and retries it while Postgres is unreachable. Throws the database's errors. */
  query(statement: Statement, ...values: readonly unknown[]): Promise<Row[]>;
  ask(statement: Statement, ...values: readonly unknown[]): Promise<Row[]>;
  /** Refuses new calls, waits for `idle`, and disconnects. */
  close(idle: () => Promise<unknown>): Promise<void>;
};

export type AccessSettings = {
  readonly connectionString: string;
  readonly schema: string;
  readonly maxConnections: number;
  readonly retryMs: number;
  readonly logger?: Logger;
};

export function createAccess(settings: AccessSettings): Access {
  const { connectionString, schema, maxConnections, retryMs, logger } = settings;
  const statements = statementsFor(schema);
  const subscribers = createSubscribers(logger);
  const time = createServerTime();
  const closing = new AbortController();
  const retryLimit = { ms: retryMs, signal: closing.signal };
  const channel = `${schema}.wakes`;
  let opening: Promise<Connections> | undefined;
  let closed: Promise<void> | undefined;

  function open(): Promise<Connections> {
    opening ??= openDatabase({
      ...{ connectionString, schema, maxConnections, statements, channel, retryLimit, time, logger },
      onNotification: subscribers.notify,
    });
    opening.catch(() => {
      opening = undefined;
    });
    return opening;
  }

  function assertOpen(): void {
    if (closed) throw new CountersignError('internal', 'The store is closed. Close it after its last use.');
  }

  async function withStoreErrors<Result>(work: () => Promise<Result>): Promise<Result> {
    assertOpen();
    try {
      return await work();
    } catch (error) {
      if (CountersignError.is(error)) throw error;
      // Contains no address and no text of the server, because a request's error may reach a client.
      const options = { cause: error, transient: !closed && isTransient(error) };
      throw new CountersignError('internal', 'The store failed. Trying again is safe.', {}, options);
    }
  }

  async function query(statement: Statement, ...values: readonly unknown[]): Promise<Row[]> {
    const connections = await open();
    return withRetry(retryLimit, () => connections.query(statement, values));
  }

  async function closeAll(idle: () => Promise<unknown>): Promise<void> {
    subscribers.clear();
    closing.abort();
    await idle();
    const connections = await opening?.catch(() => undefined);
    await connections?.close();
  }

  return {
    ...{ statements, subscribers, time, channel, retryLimit, open, assertOpen, withStoreErrors, query },
    ask: (...asked) => withStoreErrors(() => query(...asked)),
    close(idle) {
      closed ??= closeAll(idle);
      return closed;
    },
  };
}
