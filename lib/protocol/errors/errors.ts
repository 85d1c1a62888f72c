import { present } from '../present.ts';

/** Every reason for which a request can be refused. @source H-Errors */
export type ErrorCode =
  | 'invalid-request'
  | 'unauthenticated'
  | 'forbidden'
  | 'step-up-required'
  | 'not-found'
  | 'run-active'
  | 'already-answered'
  | 'input-mismatch'
  | 'superseded'
  | 'expired'
  | 'question-changed'
  | 'preview-changed'
  | 'paused'
  | 'plugin-missing'
  | 'key-reused'
  | 'payload-too-large'
  | 'rate-limited'
  | 'unavailable'
  | 'invalid-settings'
  | 'internal';

/** Data about an error: ids, and the recorded answer of a question. Safe to send to clients. */
export type ErrorFields = Readonly<Record<string, unknown>>;

const brand: unique symbol = Symbol.for('countersign.error');

/**
 * The library's error class. `message` says what happened, to which id, and what to do. It may reach a
 * client; `cause` never does.
 */
export class CountersignError extends Error {
  override readonly name = 'CountersignError';
  readonly [brand] = true;
  readonly code: ErrorCode;
  readonly fields: ErrorFields;
  /** True if the same call may succeed later, without any change by the caller. */
  readonly transient: boolean;

  /** @param options.transient default false */
  constructor(
    code: ErrorCode,
    message: string,
    fields: ErrorFields = {},
    options: { cause?: unknown; transient?: boolean } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.fields = present(fields);
    this.transient = options.transient ?? false;
  }

  /**
   * Whether a value is an error of this class. Not `instanceof`: a bundler may give the flow, its store and its handlers separate
   * copies of the class.
   */
  static is(error: unknown): error is CountersignError {
    return isBranded(error, brand);
  }
}

/** Whether a value has the brand of a class, which all copies of the class share (`Symbol.for`). */
export function isBranded(value: unknown, brand: symbol): boolean {
  return typeof value === 'object' && value !== null && brand in value;
}
