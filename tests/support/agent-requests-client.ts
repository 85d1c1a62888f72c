import type { KeyedServer } from './keyed-server.ts';

/** Asks for approval as an agent, with its key. The same `idempotencyKey` asks once. */
export const requestApproval = (
  { send }: KeyedServer,
  by: string,
  body: object,
  idempotencyKey: string,
): ReturnType<KeyedServer['send']> =>
  send(by, 'POST', '/approvals', body, { 'idempotency-key': idempotencyKey });
