/**
 * What Postgres says when the same call may succeed later. Each was rolled back, or broke the connection:
 *
 * - `08…`: the connection is gone. `57P01` to `57P03`, `57P05`: the server stops, crashed, starts, or closed an idle connection
 * - `25006`: the server is read-only, as a standby is before it takes over. `25P03`, `25P04`: a time limit of transactions
 * - `40001`, `40P01`: two transactions were in each other's way. `40003`: nobody knows whether it was written
 * - `53…`: out of disk, memory, connections or another limit
 * - `55P03`, `57014`: a lock or a statement took longer than the database's time limits, or an administrator cancelled it
 * - `58030`: the disk failed
 *
 * Missing on purpose: `57P04` (the database was dropped) and all that follows from settings, rights or the schema.
 */
const states = /^(08...|25006|25P0[34]|40001|40003|40P01|53...|55P03|57014|57P0[1235]|58030)$/;

/** What the network says. `ENOTFOUND` is missing: a wrong host name should be told at once. */
const network =
  /^(EADDRNOTAVAIL|EAI_AGAIN|ECONNABORTED|ECONNREFUSED|ECONNRESET|EHOSTDOWN|EHOSTUNREACH|EMFILE|ENETDOWN|ENETRESET|ENETUNREACH|ENFILE|ENOBUFS|EPIPE|ETIMEDOUT)$/;

/** What `pg` says of a lost connection, in errors without a code. */
const driver = /^(Connection terminated|timeout |Query read timeout|Client (has encountered|was closed))/;

/**
 * Whether the same call may succeed a moment later. It may have succeeded already: a connection that breaks after
 * a commit was sent does not tell.
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return code === undefined ? driver.test(error.message) : states.test(code) || network.test(code);
}

/**
 * Whether the server has answered with this error, so that its connection can be used again.
 */
export function isAnswer(error: unknown): boolean {
  return /^[0-9FHPX][0-9A-Z]{4}$/.test(codeOf(error) ?? '') && !isTransient(error);
}

/** The SQLSTATE of a server's error, or the code of the network's. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
