/** The clock of a database server, read from here. It is estimated between measures, so reading it costs no query. */
export type StoreClock = {
  /**
   * Epoch milliseconds; `undefined` while it is not reliably known: not measured yet, measured too long ago,
   * or this machine was suspended.
   */
  now(): number | undefined;
  /**
   * Makes it known, by querying the server if necessary.
   *
   * @throws CountersignError `internal` like any other method of the store
   */
  measure(): Promise<void>;
};
