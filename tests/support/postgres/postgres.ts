import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { type PostgresServer, startPostgres } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Responds with the connection string of the run's Postgres server, which the first request starts. */
    postgresUrl: string;
  }
}

/** A database of a real Postgres server. */
export type TestPostgres = {
  /** The superuser's connection string. @see password */
  readonly connectionString: string;
  /** A schema name that is not in use and does not exist yet. */
  newSchema(): string;
  /**
   * Creates another database on the server.
   *
   * @param options SQL after `create database <name>`, such as `encoding 'LATIN1'`
   * @returns its connection string
   */
  newDatabase(options?: string): Promise<string>;
  /** Runs SQL as the superuser on its own connection. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
};

/** @see setUpOwnPostgres */
export type OwnPostgres = TestPostgres & Pick<PostgresServer, 'halt' | 'start'>;

/**
 * A database for all tests of a file, on the run's server. It is created before the first test and dropped after the last.
 *
 * @returns a function that returns the database from the first hook on
 */
export function setUpPostgres(): () => TestPostgres {
  return setUp(async () => {
    const response = await fetch(inject('postgresUrl'));
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    const name = `file_${randomUUID().replaceAll('-', '')}`;
    const connectionString = await createDatabase(text, name);
    return { ...databaseAt(connectionString), remove: () => dropDatabases(text, name) };
  });
}

/** A server for the tests of a file that stop it, or change its settings. */
export function setUpOwnPostgres(): () => OwnPostgres {
  return setUp(async () => {
    const server = await startPostgres();
    return { ...server, ...databaseAt(server.connectionString) };
  });
}

function setUp<Postgres extends { remove(): Promise<void> }>(
  create: () => Promise<Postgres>,
): () => Omit<Postgres, 'remove'> {
  let created: Postgres | undefined;
  beforeAll(async () => {
    created = await create();
  }, 300_000);
  // A database of hundreds of schemas has thousands of files.
  afterAll(() => created?.remove(), 300_000);
  return () => {
    if (!created) throw new Error('Postgres is set up by a hook: call this within a test.');
    return created;
  };
}

function databaseAt(connectionString: string): TestPostgres {
  const prefix = nameOf(connectionString);
  let schemas = 0;
  let databases = 0;
  return {
    connectionString,
    newSchema: () => {
      schemas += 1;
      return `test_${schemas}`;
    },
    newDatabase: (options) => {
      databases += 1;
      return createDatabase(connectionString, `${prefix}_${databases}`, options);
    },
    query: (sql, values) => query(connectionString, sql, values),
  };
}

async function createDatabase(connectionString: string, name: string, options = ''): Promise<string> {
  await query(connectionString, `create database ${name} ${options}`);
  const url = new URL(connectionString);
  url.pathname = `/${name}`;
  return url.href;
}

/** Drops a database and those that were created from it, whoever is connected. */
async function dropDatabases(connectionString: string, name: string): Promise<void> {
  const sql = "select datname from pg_database where datname = $1 or datname like $1 || '\\_%'";
  for (const { datname } of await query<{ datname: string }>(connectionString, sql, [name])) {
    await query(connectionString, `drop database ${datname} with (force)`);
  }
}

function nameOf(connectionString: string): string {
  return new URL(connectionString).pathname.slice(1);
}

async function query<Row extends pg.QueryResultRow>(
  connectionString: string,
  sql: string,
  values?: unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}
