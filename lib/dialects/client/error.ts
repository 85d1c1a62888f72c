/** What is known of a refusal, or of a lost connection. */
export type DialectErrorFacts = {
  /** Default: 0. */
  readonly status?: number;
  readonly retryAfterMs?: number;
  /** The refusal as the server sent it. */
  readonly refusal?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
};

/**
 * A request that the server refused, or that was lost with its connection: the run, if there is one, continues on the
 * server. Each dialect's client has a class of its own.
 *
 * @source H-Errors
 */
export abstract class DialectError extends Error {
  /** The server's code, or `connection-lost` (over the chat socket: `CONNECTION_LOST`). */
  readonly code: string;
  /** The HTTP status of the refusal; 0 without a response. */
  readonly status: number;
  /** Milliseconds after which the request may be sent again, if the server says so. */
  readonly retryAfterMs: number | undefined;
  readonly #refusal: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, facts: DialectErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.status = facts.status ?? 0;
    this.retryAfterMs = facts.retryAfterMs;
    this.#refusal = facts.refusal ?? {};
  }

  /** A text that the refusal has besides its code and its message. */
  protected detail(name: string): string | undefined {
    const value = this.#refusal[name];
    return typeof value === 'string' ? value : undefined;
  }
}

/** Makes the error of one dialect. */
export type NewDialectError = (code: string, message: string, facts?: DialectErrorFacts) => DialectError;
