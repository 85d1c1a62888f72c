import type { Engine } from '../../run/engine.ts';
import type { Insights } from '../../views/insights/insights.ts';
import type { InsightsRequest } from '../../views/insights/read-insights.ts';
import { readInsights } from '../../views/insights/read-insights.ts';

/** How people answer. */
export type InsightsMethods = {
  /**
   * Reports how people answer: how long questions wait, and how many are approved within three seconds, edited, denied or expired, by
   * tool, risk, person and hour of the day, of all chats. Periods consist of whole days, UTC, of at most the last 400 days. Questions
   * count on the day on which they were asked, once they are no longer open, and still count when their chat is erased. Contains
   * no arguments and no text from chats.
   *
   * @throws CountersignError `not-found` unless `mayOperate` returns `true`; `invalid-request` for an unknown time zone, for a `since`
   * after `until`, and if the store has no `insights`
   * @source ADR 0052
   */
  read(request: InsightsRequest): Promise<Insights>;
};

/** @see InsightsMethods */
export function createInsights(engine: Engine): InsightsMethods {
  return { read: (request) => readInsights(engine, request) };
}
