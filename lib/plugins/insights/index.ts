import type { FlowPlugin } from '../../flow/plugin/plugin.ts';
import { CountersignError } from '../../protocol/index.ts';
import { countSettled } from './count-questions.ts';
import { insightsEndpoints } from './endpoints.ts';
import type { Insights } from './insights.ts';
import { insightsOpenApi } from './open-api.ts';
import { type InsightsRequest, readInsights } from './read-insights.ts';

export type { Insights, QuestionCounts } from './insights.ts';
export type { InsightsRequest } from './read-insights.ts';

/** How people answer. */
export type InsightsMethods = {
  /**
   * Reports how people answer: how long questions wait, and how many are approved within three seconds, edited, denied or expired, by
   * tool, risk, person and hour of the day, of all chats. Periods consist of whole days, UTC, of at most the last 400 days. Questions
   * count on the day on which they were asked, once they are no longer open, and still count when their chat is erased. Contains
   * no arguments and no text from chats.
   *
   * @throws CountersignError `not-found` unless `mayOperate` returns `true`; `invalid-request` for an unknown time zone, and for a
   * `since` after `until`
   * @source ADR 0052
   */
  read(request: InsightsRequest): Promise<Insights>;
};

/** With many questions that were never counted, a sweep counts only some of them. */
const mostBatches = 50;

/**
 * Counts how people answer. Needs `mayOperate`.
 *
 * @example createApprovalFlow({ store, model, tools, mayOperate, plugins: [insights()] })
 * @source ADR 0052
 */
export function insights(): FlowPlugin<'insights', InsightsMethods> {
  return {
    name: 'insights',
    setUp({ store, settings, clock }) {
      if (!settings.mayOperate) {
        const text = 'The plugin `insights` needs `mayOperate`, which says who may read them.';
        throw new CountersignError('invalid-settings', text, { path: 'plugins' });
      }
      const parts = { store, settings, clock };
      const read = (request: InsightsRequest) => readInsights(parts, request);
      return {
        methods: { read },
        endpoints: (route) => insightsEndpoints(read, route),
        openApi: insightsOpenApi,
        sweep: () => countSettled(parts, mostBatches),
        // What is settled up to now is counted before it is erased.
        beforeErase: () => countSettled(parts),
      };
    },
  };
}
