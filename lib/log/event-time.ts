/** Clocks that are kept in step differ by less. */
const mostMs = 1_000;

/**
 * The time of an event: now, and never a little before the event that it follows, so that a log's times are in its
 * order. A larger step back is what it is.
 *
 * @param before of the event that it follows, in epoch milliseconds
 */
export function eventTime(before: number, now: number): number {
  return before > now && before - now <= mostMs ? before : now;
}
