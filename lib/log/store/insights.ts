import type { PlacedQuestion } from './subscriptions.ts';

/** What was counted of the questions that were asked on one day. */
export type CountedDay = {
  /** Days since 1970-01-01, UTC. */
  readonly day: number;
  /** A text that only the flow reads. */
  readonly counts: string;
};

/**
 * What insights need of a store.
 *
 * @source ADR 0052
 */
export type InsightsStore = {
  /**
   * The counted ones of these days, in no order, and the place in the feed of question changes up to which questions are
   * counted: 0 at first.
   */
  read(days: readonly number[]): Promise<{ readonly place: number; readonly days: readonly CountedDay[] }>;
  /** Questions after a place in the feed, in order, consistent with each other: none appears later at or before the last one. */
  feed(after: number, limit: number): Promise<readonly PlacedQuestion[]>;
  /**
   * Replaces the counts of days and moves the place, in one transaction.
   *
   * @param change.from the place that the counts follow
   * @param change.keepFrom earlier days are deleted
   * @returns false, and nothing is written, if the place is no longer `from`
   */
  write(change: {
    readonly from: number;
    readonly to: number;
    readonly days: readonly CountedDay[];
    readonly keepFrom: number;
  }): Promise<boolean>;
};
