import type { DatabaseSync } from 'node:sqlite';
import { seedUsers } from './demo-users.ts';

function paymentsTable(name: string): string {
  return `CREATE TABLE IF NOT EXISTS ${name} (
    idempotencyKey TEXT PRIMARY KEY, toolCallId TEXT NOT NULL, recipient TEXT NOT NULL, amount REAL NOT NULL,
    currency TEXT NOT NULL, at TEXT NOT NULL
  ) STRICT;`;
}

/** Files of older versions store payments by call id alone, which two chats may share. */
function addIdempotencyKeys(connection: DatabaseSync): void {
  const columns = connection.prepare('SELECT name FROM pragma_table_info(?)').all('payments');
  if (columns.some(({ name }) => name === 'idempotencyKey')) return;
  connection.exec(`
    ${paymentsTable('payments_by_key')}
    INSERT INTO payments_by_key SELECT 'call:' || toolCallId, toolCallId, recipient, amount, currency, at
      FROM payments ORDER BY rowid;
    DROP TABLE payments;
    ALTER TABLE payments_by_key RENAME TO payments;`);
}

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
      ${paymentsTable('payments')}`);
    addIdempotencyKeys(connection);
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
