import type { DatabaseSync } from 'node:sqlite';
import { seedUsers } from './demo-users.ts';

/**
 * Creates the demo tables and adds the users, once. Safe to run from several connections at the same time: it takes
 * the write lock first and leaves existing rows unchanged.
 */
export function prepareDemoSchema(connection: DatabaseSync): void {
  // Two module instances of one server, or two servers, may open the same file.
  connection.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  connection.exec('BEGIN IMMEDIATE');
  try {
    connection.exec(`
      CREATE TABLE IF NOT EXISTS users (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL UNIQUE,
        city TEXT NOT NULL, status TEXT NOT NULL
      ) STRICT;
      CREATE TABLE IF NOT EXISTS payments (
        idempotencyKey TEXT PRIMARY KEY, toolCallId TEXT NOT NULL, recipient TEXT NOT NULL, amount REAL NOT NULL,
        currency TEXT NOT NULL, at TEXT NOT NULL
      ) STRICT;`);
    const insert = connection.prepare(
      'INSERT OR IGNORE INTO users (id, name, email, city, status) VALUES (?, ?, ?, ?, ?)',
    );
    for (const { id, name, email, city, status } of seedUsers) insert.run(id, name, email, city, status);
    connection.exec('COMMIT');
  } catch (error) {
    connection.exec('ROLLBACK');
    throw error;
  }
}
