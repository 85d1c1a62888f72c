export { type SqliteStoreSettings, sqliteStore } from './sqlite/store.ts';
