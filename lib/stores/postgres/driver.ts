import type pg from 'pg';
import { CountersignError } from '../../protocol/index.ts';

/** What the store uses of the package `pg`. */
export type Driver = Pick<typeof pg, 'Client' | 'Pool' | 'types'>;

/**
 * Loads `pg` when it is needed: who keeps to SQLite does not install it.
 *
 * @throws CountersignError `internal` when it is not installed
 */
export async function loadDriver(): Promise<Driver> {
  try {
    return (await import('pg')).default;
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')) throw cause;
    throw new CountersignError(
      'internal',
      'postgresStore needs the package pg, which is not installed. Run: npm install pg@8',
      {},
      { cause },
    );
  }
}

/**
 * Settings that every connection shares.
 *
 * @param connectionString what it says itself goes before these
 */
export function connectionConfig(driver: Driver, connectionString: string) {
  return {
    connectionString,
    application_name: 'countersign',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    // A server that vanished without a word would otherwise be waited for until TCP gives up.
    query_timeout: 30_000,
    // Sequences and epoch milliseconds are safe integers; `pg` would hand 64-bit ones over as text.
    types: {
      getTypeParser: ((oid: number, format: 'text') =>
        oid === driver.types.builtins.INT8
          ? Number
          : driver.types.getTypeParser(oid, format)) as typeof driver.types.getTypeParser,
    },
  };
}
