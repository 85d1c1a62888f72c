/**
 * What Postgres says when it is not, or no more, able to serve: it is starting, stopping or full, the connection
 * is gone, or two transactions stood in each other's way and this one was rolled back.
 */
const states = /^(08...|57P0[123]|53300|40001|40P01)$/;

/** What the network says. `ENOTFOUND` is missing: a wrong host name should be told at once. */
const network = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)$/;

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
