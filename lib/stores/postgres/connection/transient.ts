/**
 * SQLSTATEs after which the same call may succeed later. Each one was rolled back, or broke the connection:
 *
 * - `08…`: connection lost. `57P01` to `57P03`, `57P05`: the server stops, crashed, starts, or closed an idle
 *   connection
 * - `25006`: the server is read-only, like a standby before failover. `25P03`, `25P04`: a transaction time limit
 * - `40001`, `40P01`: two transactions conflicted. `40003`: it is unknown whether the transaction was committed
 * - `53…`: out of disk, memory, connections or another resource
 * - `55P03`, `57014`: a lock or a statement exceeded the database's time limits, or an administrator cancelled it
 * - `58030`: I/O error
 *
 * Missing on purpose: `57P04` (the database was dropped) and everything caused by settings, privileges or the schema.
 */
const states = /^(08...|25006|25P0[34]|40001|40003|40P01|53...|55P03|57014|57P0[1235]|58030)$/;

/** Network error codes. `ENOTFOUND` is missing, because a wrong host name should be reported immediately. */
const network =
  /^(EADDRNOTAVAIL|EAI_AGAIN|ECONNABORTED|ECONNREFUSED|ECONNRESET|EHOSTDOWN|EHOSTUNREACH|EMFILE|ENETDOWN|ENETRESET|ENETUNREACH|ENFILE|ENOBUFS|EPIPE|ETIMEDOUT)$/;

/** Messages of `pg` for a lost connection, in errors without a code. */
const driver = /^(Connection terminated|timeout |Query read timeout|Client (has encountered|was closed))/;

/** Whether the same call may succeed later. It may have succeeded: a commit's acknowledgement can be lost. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return code === undefined ? driver.test(error.message) : states.test(code) || network.test(code);
}

/** Whether the error is a response of the server, so that its connection is still usable. */
export function isAnswer(error: unknown): boolean {
  return /^[0-9FHPX][0-9A-Z]{4}$/.test(codeOf(error) ?? '') && !isTransient(error);
}

/** The SQLSTATE of a server error, or the code of a network error. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
