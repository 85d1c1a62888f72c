/** Synchronized clocks differ by less. */
const mostMs = 1_000;

/**
 * The time of an event: now, but not slightly before the event that it follows, so that a log's times are in
 * order. A larger step back is recorded as it is.
 *
 * @param before of the event that it follows, in epoch milliseconds
 */
export function eventTime(before: number, now: number): number {
  return before > now && before - now <= mostMs ? before : now;
}
