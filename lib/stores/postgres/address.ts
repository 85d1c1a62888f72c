import { CountersignError } from '../../protocol/index.ts';

/**
 * Where a connection string leads, for errors and logs: `host:port/database`, without user and password.
 *
 * @throws CountersignError `invalid-settings` for what is no Postgres URL, or is one whose password would be read as a
 *   host; the string itself is in neither the message nor the cause
 */
export function describeAddress(connectionString: string): string {
  const url = URL.canParse(connectionString) ? new URL(connectionString) : undefined;
  // An unescaped `#` or `?` of a password ends the address early: what follows as "host" is part of a secret.
  const misread = url === undefined || (connectionString.includes('@') && url.username === '');
  if (misread || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new CountersignError(
      'invalid-settings',
      'postgresStore: `connectionString` is not a Postgres URL. Write postgres://user:password@host:5432/database, ' +
        'with special characters percent-encoded.',
      { path: 'connectionString' },
    );
  }
  const host = url.searchParams.get('host') ?? (url.hostname || 'localhost');
  const port = url.searchParams.get('port') ?? (url.port || '5432');
  return `${host}:${port}${url.pathname}`;
}

/**
 * Returns the name of a schema that can be written into SQL and into the name of a channel.
 *
 * @throws CountersignError `invalid-settings` for any other
 */
export function checkSchema(schema: string): string {
  if (/^[a-z_][a-z0-9_]{0,47}$/.test(schema) && !schema.startsWith('pg_')) return schema;
  throw new CountersignError(
    'invalid-settings',
    'postgresStore: this cannot be the `schema`: take up to 48 of a-z, 0-9 and _, not beginning with a digit or pg_.',
    { path: 'schema' },
  );
}
