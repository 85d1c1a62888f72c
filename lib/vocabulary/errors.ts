/** Every way in which a request can be refused. @source contract H, "Errors" */
export type ErrorCode =
  | 'invalid-request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'run-active'
  | 'already-answered'
  | 'input-mismatch'
  | 'superseded'
  | 'expired'
  | 'payload-too-large'
  | 'rate-limited'
  | 'internal';

/** Facts that travel with an error: ids, and the standing answer of a question. Safe for clients. */
export type ErrorFields = Readonly<Record<string, unknown>>;

/**
 * The one error class. `message` says what happened, to which id, and what to do; it may reach a client.
 * `cause` never does.
 */
export class CountersignError extends Error {
  override readonly name = 'CountersignError';
  readonly code: ErrorCode;
  readonly fields: ErrorFields;

  constructor(code: ErrorCode, message: string, fields: ErrorFields = {}, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.fields = fields;
  }
}
