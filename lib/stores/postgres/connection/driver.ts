import type pg from 'pg';
import { CountersignError } from '../../../protocol/index.ts';

/** The part of the package `pg` that the store uses. */
export type Driver = Pick<typeof pg, 'Client' | 'Pool' | 'types'>;

/** Loads `pg` on demand. @throws CountersignError `internal` if it is not installed */
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

/** Settings that every connection shares. @param connectionString its own parameters take precedence */
export function connectionConfig(driver: Driver, connectionString: string) {
  return {
    connectionString,
    application_name: 'countersign',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    // Otherwise a server that disappears without closing its connections is waited for until TCP times out.
    query_timeout: 30_000,
    // Sequences and epoch milliseconds are safe integers; by default `pg` returns 64-bit integers as strings.
    types: {
      getTypeParser: ((oid: number, format: 'text') =>
        oid === driver.types.builtins.INT8
          ? Number
          : driver.types.getTypeParser(oid, format)) as typeof driver.types.getTypeParser,
    },
  };
}
