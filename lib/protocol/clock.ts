/** Time comes in through this port, so tests can hold it. */
export type Clock = {
  /** Epoch milliseconds. */
  now(): number;
  /**
   * Milliseconds since any fixed moment, by a clock that is never set back or forward. Leases are measured with it
   * (ADR 0019). Default: `now`.
   */
  monotonic?(): number;
  /** Calls back once after `ms`; returns a function that cancels. Must not keep the process alive. */
  after(ms: number, callback: () => void): () => void;
};
