import { postgresStore, sqliteStore } from 'countersign/store';
import type { FlowStore } from '../../../lib/log/store/index.ts';
import type { SessionStore } from '../../../lib/protocol/index.ts';

/** The database of a child process, as environment variables. */
export type StoreAddress = Readonly<Record<string, string>>;

export function sqliteAddress(path: string): StoreAddress {
  return { FAULTS_SQLITE: path };
}

export function postgresAddress(connectionString: string, schema: string): StoreAddress {
  return { FAULTS_POSTGRES: connectionString, FAULTS_SCHEMA: schema };
}

/** Opens the store at an address. @throws Error if the variables are missing */
export function openStore(
  env: Readonly<Record<string, string | undefined>>,
): FlowStore & { readonly sessions: SessionStore } {
  const { FAULTS_SQLITE: path, FAULTS_POSTGRES: connectionString, FAULTS_SCHEMA: schema } = env;
  if (path !== undefined) return sqliteStore({ path });
  if (connectionString !== undefined) return postgresStore({ connectionString, schema });
  throw new Error('No database is named: set FAULTS_SQLITE or FAULTS_POSTGRES.');
}
