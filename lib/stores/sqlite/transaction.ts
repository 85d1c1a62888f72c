import type { DatabaseSync } from 'node:sqlite';

/**
 * Runs `work` as one transaction that holds the write lock from its first statement on, and commits when it says
 * `keep`. Anything else, an exception included, leaves the database as it was. One commit is one fsync.
 *
 * `immediate`, since a transaction that reads first and writes later is refused at once, without waiting, when
 * somebody else wrote in between.
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

/** SQLite has already rolled back by itself after some errors (a full disk); the first error is the one to tell. */
function rollBack(db: DatabaseSync): void {
  try {
    db.exec('rollback');
  } catch {}
}
