/** Synchronized clocks differ by less. */
const mostMs = 1_000;

/** Now, but not slightly before the previous event, so that a log's times are in order. @param before epoch milliseconds */
export function eventTime(before: number, now: number): number {
  return before > now && before - now <= mostMs ? before : now;
}
