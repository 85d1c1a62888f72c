import { CountersignError } from '../../../protocol/index.ts';

/** The address, without user and password. @throws CountersignError `invalid-settings`, without the string */
export function describeAddress(connectionString: string): string {
  const url = URL.canParse(connectionString) ? new URL(connectionString) : undefined;
  // An unescaped `#` or `?` in a password ends the authority early. The part that is then read as the host belongs to
  // a secret.
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

/** Returns a schema name that is safe in SQL and in a channel name. @throws CountersignError `invalid-settings` otherwise */
export function checkSchema(schema: string): string {
  if (/^[a-z_][a-z0-9_]{0,47}$/.test(schema) && !schema.startsWith('pg_')) return schema;
  throw new CountersignError(
    'invalid-settings',
    'postgresStore: invalid `schema`: use up to 48 of a-z, 0-9 and _, not beginning with a digit or pg_.',
    { path: 'schema' },
  );
}
