import type { DatabaseSync } from 'node:sqlite';

/**
 * Runs `work` as one transaction that holds the write lock from its first statement. If it throws, or its result is not
 * one to keep, the database is unchanged. One commit is one fsync.
 *
 * `immediate`, because a transaction that reads first and writes later fails immediately, without waiting, if
 * another process wrote in between.
 *
 * @source ADR 0005.4
 */
export function transaction<Result>(
  db: DatabaseSync,
  work: () => Result,
  isKept: (result: Result) => boolean = () => true,
): Result {
  db.exec('begin immediate');
  try {
    const result = work();
    db.exec(isKept(result) ? 'commit' : 'rollback');
    return result;
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

/** After some errors (such as a full disk) SQLite has already rolled back. The first error is the one to report. */
function rollBack(db: DatabaseSync): void {
  try {
    db.exec('rollback');
  } catch {}
}
