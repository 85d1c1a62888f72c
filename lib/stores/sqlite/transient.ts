/** A lock held by another connection. The lower byte of an extended code is the primary code. */
const locked = new Set([
  5, // SQLITE_BUSY: another process is writing, recovering or closing
  6, // SQLITE_LOCKED: another connection of this process, through a shared cache
]);

/** Errors that may pass without any change by the caller. The failed transaction was rolled back. */
const transient = new Set([
  ...locked,
  7, // SQLITE_NOMEM
  10, // SQLITE_IOERR
  13, // SQLITE_FULL
  15, // SQLITE_PROTOCOL: the locks of the write-ahead log could not be acquired
]);

/** Whether another connection holds a lock, most likely for a few milliseconds. */
export function isLocked(error: unknown): boolean {
  return locked.has(primaryCodeOf(error));
}

/** Whether the same call may succeed later. Errors of paths, permissions and corruption may not. */
export function isTransient(error: unknown): boolean {
  return transient.has(primaryCodeOf(error));
}

function primaryCodeOf(error: unknown): number {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code & 0xff : 0;
}
