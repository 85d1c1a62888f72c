import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CountersignError } from '../../protocol/index.ts';
import { migrate } from './migrations.ts';
import { isLocked, isTransient } from './transient.ts';
import { whenFree } from './when-free.ts';

/**
 * Opens a database file, or `:memory:`, ready to be used: folder made (mode 0700, conversations are private),
 * pragmas set, schema current.
 *
 * - `synchronous = FULL`: in WAL mode the default may lose the last commits with the power, and a lost
 *   `tool-started` is a tool that runs twice.
 * - `secure_delete`: erased conversations are overwritten, not merely unlinked.
 * - `busy_timeout = 0`: SQLite would wait for a lock with the event loop standing still; `whenFree` waits instead.
 *
 * @throws CountersignError `internal`: cannot be opened or written, is no database, or a newer one
 * @source ADR 0005.1
 */
export function openDatabase(path: string): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    db = new DatabaseSync(path);
    // Opening blocks, at most this long, and only while another process creates or migrates the file.
    db.exec('pragma busy_timeout = 5000');
    db.exec('pragma journal_mode = wal');
    db.exec('pragma synchronous = full');
    db.exec('pragma foreign_keys = on');
    db.exec('pragma secure_delete = on');
    migrate(db);
    db.exec('pragma busy_timeout = 0');
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof CountersignError) throw error;
    throw openingError(path, error);
  }
}

/**
 * Empties the write-ahead log into the database file.
 *
 * @returns false when a reader or writer elsewhere did not allow all of it
 */
export function checkpoint(db: DatabaseSync): boolean {
  return db.prepare('pragma wal_checkpoint(truncate)').get()?.busy === 0;
}

/**
 * Empties it as soon as others allow, within `patienceMs`.
 *
 * @returns false when they did not
 */
export async function emptyLog(db: DatabaseSync, patienceMs?: number): Promise<boolean> {
  try {
    // The pragma reports a lock in its row, where a statement would throw.
    await whenFree(() => {
      if (!checkpoint(db)) throw Object.assign(new Error('The write-ahead log is in use.'), { errcode: 5 });
    }, patienceMs);
    return true;
  } catch (error) {
    if (isLocked(error)) return false;
    throw error;
  }
}

/** Told to whoever starts the program, who needs the path and what the disk said. */
function openingError(path: string, cause: unknown): CountersignError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CountersignError(
    'internal',
    `The database ${path} cannot be opened: ${reason}. Check the path and its permissions.`,
    {},
    { cause, transient: isTransient(cause) },
  );
}
