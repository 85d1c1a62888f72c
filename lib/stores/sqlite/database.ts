import type { DatabaseSync as Database } from 'node:sqlite';
import { CountersignError } from '../../protocol/index.ts';
import { DatabaseSync, dirname, mkdirSync } from './driver.ts';
import { migrate } from './migrations.ts';
import { isLocked, isTransient } from './transient.ts';
import { whenFree } from './when-free.ts';

/**
 * Opens a database file, or `:memory:`, for use: creates the folder (mode 0700, because conversations are private),
 * sets pragmas and migrates the schema.
 *
 * - `synchronous = FULL`: in WAL mode the default may lose the last commits in a power failure, and after a lost
 *   `tool-started` a tool would run twice.
 * - `secure_delete`: erased conversations are overwritten, not merely unlinked.
 * - `busy_timeout = 0`: SQLite would block the event loop while it waits for a lock; `whenFree` waits instead.
 *
 * @throws CountersignError `internal`: the file cannot be opened or written, is not a database, or has a newer schema
 * @source ADR 0005.1
 */
export function openDatabase(path: string): Database {
  let db: Database | undefined;
  try {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    db = new DatabaseSync(path);
    // Opening blocks at most this long, and only while another process creates or migrates the file.
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
    if (CountersignError.is(error)) throw error;
    throw openingError(path, error);
  }
}

/** Moves the write-ahead log into the database file. @returns false when another reader or writer prevented that in part */
export function checkpoint(db: Database): boolean {
  return db.prepare('pragma wal_checkpoint(truncate)').get()?.busy === 0;
}

/** Empties the log once no other process uses it. @returns false if that was not within `retryMs` */
export async function emptyLog(db: Database, retryMs?: number): Promise<boolean> {
  try {
    // The pragma reports a lock in its result row instead of throwing.
    await whenFree(() => {
      if (!checkpoint(db)) throw Object.assign(new Error('The write-ahead log is in use.'), { errcode: 5 });
    }, retryMs);
    return true;
  } catch (error) {
    if (isLocked(error)) return false;
    throw error;
  }
}

/** For the operator, who needs the path and the error of the file system. */
function openingError(path: string, cause: unknown): CountersignError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CountersignError(
    'internal',
    `The database ${path} cannot be opened: ${reason}. Check the path and its permissions.`,
    {},
    { cause, transient: isTransient(cause) },
  );
}
