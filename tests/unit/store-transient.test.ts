import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { CountersignError } from '../../lib/protocol/index.ts';
import { isTransient as isTransientPostgres } from '../../lib/stores/postgres/connection/transient.ts';
import { isLocked, isTransient as isTransientSqlite } from '../../lib/stores/sqlite/transient.ts';

describe('an error of Postgres', () => {
  const stated = (code: string) => Object.assign(new pg.DatabaseError('said so', 7, 'error'), { code });

  it.each([
    ['connection_exception', '08000'],
    ['sqlclient_unable_to_establish_sqlconnection', '08001'],
    ['connection_does_not_exist', '08003'],
    ['sqlserver_rejected_establishment_of_sqlconnection', '08004'],
    ['connection_failure', '08006'],
    ['transaction_resolution_unknown', '08007'],
    ['protocol_violation', '08P01'],
    ['read_only_sql_transaction', '25006'],
    ['idle_in_transaction_session_timeout', '25P03'],
    ['transaction_timeout', '25P04'],
    ['serialization_failure', '40001'],
    ['statement_completion_unknown', '40003'],
    ['deadlock_detected', '40P01'],
    ['insufficient_resources', '53000'],
    ['disk_full', '53100'],
    ['out_of_memory', '53200'],
    ['too_many_connections', '53300'],
    ['configuration_limit_exceeded', '53400'],
    ['lock_not_available', '55P03'],
    ['query_canceled', '57014'],
    ['admin_shutdown', '57P01'],
    ['crash_shutdown', '57P02'],
    ['cannot_connect_now', '57P03'],
    ['idle_session_timeout', '57P05'],
    ['io_error', '58030'],
  ])('%s (%s) is transient', (_, code) => {
    expect(isTransientPostgres(stated(code))).toBe(true);
  });

  it.each([
    ['unique_violation', '23505'],
    ['invalid_password', '28P01'],
    ['invalid_catalog_name', '3D000'],
    ['insufficient_privilege', '42501'],
    ['undefined_table', '42P01'],
    ['program_limit_exceeded', '54000'],
    ['database_dropped', '57P04'],
    ['undefined_file', '58P01'],
    ['internal_error', 'XX000'],
  ])('%s (%s) is not', (_, code) => {
    expect(isTransientPostgres(stated(code))).toBe(false);
  });

  it.each([
    'EADDRNOTAVAIL',
    'EAI_AGAIN',
    'ECONNABORTED',
    'ECONNREFUSED',
    'ECONNRESET',
    'EHOSTDOWN',
    'EHOSTUNREACH',
    'EMFILE',
    'ENETDOWN',
    'ENETRESET',
    'ENETUNREACH',
    'ENFILE',
    'ENOBUFS',
    'EPIPE',
    'ETIMEDOUT',
  ])('%s of the network is transient', (code) => {
    expect(isTransientPostgres(Object.assign(new Error('network'), { code }))).toBe(true);
    expect(isTransientPostgres(Object.assign(new AggregateError([]), { code }))).toBe(true);
  });

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
  ])('%j of the driver is transient', (message) => {
    expect(isTransientPostgres(new Error(message))).toBe(true);
  });

  it.each([
    ['a host that does not exist', Object.assign(new Error('network'), { code: 'ENOTFOUND' })],
    ['a mistake in the program', new TypeError('x is not a function')],
    ['a value that is not an Error', '40001'],
  ])('%s is not', (_, error) => {
    expect(isTransientPostgres(error)).toBe(false);
  });
});

describe('an error of SQLite', () => {
  const coded = (errcode: number) =>
    Object.assign(new Error('said so'), { code: 'ERR_SQLITE_ERROR', errcode });

  it.each([
    ['SQLITE_BUSY', 5],
    ['SQLITE_BUSY_RECOVERY', 261],
    ['SQLITE_BUSY_SNAPSHOT', 517],
    ['SQLITE_BUSY_TIMEOUT', 773],
    ['SQLITE_LOCKED', 6],
    ['SQLITE_LOCKED_SHAREDCACHE', 262],
    ['SQLITE_NOMEM', 7],
    ['SQLITE_IOERR', 10],
    ['SQLITE_IOERR_READ', 266],
    ['SQLITE_IOERR_WRITE', 778],
    ['SQLITE_IOERR_FSYNC', 1034],
    ['SQLITE_IOERR_NOMEM', 3082],
    ['SQLITE_FULL', 13],
    ['SQLITE_PROTOCOL', 15],
  ])('%s (%i) is transient', (_, code) => {
    expect(isTransientSqlite(coded(code))).toBe(true);
  });

  it.each([
    ['SQLITE_ERROR', 1],
    ['SQLITE_READONLY', 8],
    ['SQLITE_READONLY_DBMOVED', 1032],
    ['SQLITE_CORRUPT', 11],
    ['SQLITE_CANTOPEN', 14],
    ['SQLITE_CONSTRAINT_UNIQUE', 2067],
    ['SQLITE_NOTADB', 26],
  ])('%s (%i) is not', (_, code) => {
    expect(isTransientSqlite(coded(code))).toBe(false);
  });

  it('is retried within a call only while it is a lock', () => {
    expect([5, 261, 517, 6].every((code) => isLocked(coded(code)))).toBe(true);
    expect([7, 10, 13, 15, 1].some((code) => isLocked(coded(code)))).toBe(false);
  });

  it('carries the code that the driver reports, for a lock and for a full disk', () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-transient-'));
    const [here, there] = ['store.db', 'store.db'].map((name) => new DatabaseSync(join(folder, name)));
    if (!here || !there) throw new Error('There are no databases.');
    const failureOf = (work: () => void) => {
      try {
        work();
      } catch (error) {
        return error;
      }
    };
    here.exec('create table t (a); pragma max_page_count = 3; begin immediate');
    expect(isLocked(failureOf(() => there.exec('begin immediate')))).toBe(true);
    const full = failureOf(() => here.exec('insert into t values (zeroblob(100000))'));
    expect(full).toMatchObject({ errcode: 13 });
    expect(isTransientSqlite(full)).toBe(true);
    here.close();
    there.close();
    rmSync(folder, { recursive: true });
  });
});

describe('a CountersignError', () => {
  it.each([
    [undefined, false],
    [{}, false],
    [{ cause: 'x' }, false],
    [{ transient: true, cause: 'x' }, true],
  ])('with the options %j has transient %j', (options, transient) => {
    const error = new CountersignError('internal', 'It failed.', {}, options);
    expect(error.transient).toBe(transient);
    expect(error.cause).toBe(options && 'cause' in options ? 'x' : undefined);
    expect('cause' in error).toBe(options !== undefined && 'cause' in options);
  });
});
