export type { FlowStore, StoreClock } from '../log/store/index.ts';
export type { Session, SessionStore } from '../protocol/index.ts';
export { type PostgresStoreSettings, postgresStore } from './postgres/store.ts';
export { type SqliteStoreSettings, sqliteStore } from './sqlite/store.ts';
