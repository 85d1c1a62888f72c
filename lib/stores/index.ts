export { type PostgresStoreSettings, postgresStore } from './postgres/store.ts';
export { type SqliteStoreSettings, sqliteStore } from './sqlite/store.ts';
