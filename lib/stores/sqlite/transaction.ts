import type { DatabaseSync } from 'node:sqlite';

/**
 * Runs `work` as one transaction that holds the write lock from its first statement, and commits if the outcome says
 * `keep`. Otherwise, or after an exception, the database is unchanged. One commit is one fsync.
 *
 * `immediate`, because a transaction that reads first and writes later fails immediately, without waiting, if
 * another process wrote in between.
 *
 * @source ADR 0005.4
 */
export function transaction<Outcome extends { readonly keep: boolean }>(
  db: DatabaseSync,
  work: () => Outcome,
): Outcome {
  db.exec('begin immediate');
  let outcome: Outcome;
  try {
    outcome = work();
    db.exec(outcome.keep ? 'commit' : 'rollback');
  } catch (error) {
    rollBack(db);
    throw error;
  }
  return outcome;
}

/** After some errors (such as a full disk) SQLite has already rolled back. The first error is the one to report. */
function rollBack(db: DatabaseSync): void {
  try {
    db.exec('rollback');
  } catch {}
}
