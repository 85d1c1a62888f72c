/** A lock that another connection holds. The lower byte of an extended code is the primary one. */
const locked = new Set([
  5, // SQLITE_BUSY: another process writes, recovers or closes
  6, // SQLITE_LOCKED: another connection of this process, by a shared cache
]);

/** What may pass without any change by the caller. A transaction that failed by one of these was rolled back. */
const transient = new Set([
  ...locked,
  7, // SQLITE_NOMEM
  10, // SQLITE_IOERR
  13, // SQLITE_FULL
  15, // SQLITE_PROTOCOL: the locks of the write-ahead log could not be taken in the order they have to be
]);

/** Whether somebody else is in the way, who will most likely be gone within milliseconds. */
export function isLocked(error: unknown): boolean {
  return locked.has(primaryCodeOf(error));
}

/**
 * Whether the same call may succeed later. Missing on purpose: `SQLITE_CANTOPEN` and `SQLITE_READONLY`, which follow from
 * paths and permissions, and `SQLITE_CORRUPT`.
 */
export function isTransient(error: unknown): boolean {
  return transient.has(primaryCodeOf(error));
}

function primaryCodeOf(error: unknown): number {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code & 0xff : 0;
}
