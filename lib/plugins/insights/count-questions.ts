import type { FlowClock } from '../../log/flow-clock.ts';
import type { InsightsStore } from '../../log/store/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import {
  countQuestion,
  type DayCounts,
  dayOf,
  dayText,
  emptyDay,
  parseDay,
  unpackDay,
} from './day-counts.ts';

const batchSize = 200;

/** Days of which counts are kept, including today. */
export const keptDays = 400;

/** What counting works with. */
export type CountingParts = {
  readonly insights: InsightsStore;
  readonly clock: FlowClock;
  readonly settings: Pick<FlowSettings, 'mayOperate' | 'formerIds'>;
};

/**
 * Counts the questions that were settled since the last count. Each is counted once, by any instance: the counts and the place
 * in the feed up to which they go are written together, and only if no other instance has moved the place.
 *
 * @param most how many batches to count at most. Default: all that there are
 * @source ADR 0052
 */
export async function countSettled(parts: CountingParts, most = Number.POSITIVE_INFINITY): Promise<void> {
  const { insights } = parts;
  const today = dayOf(await parts.clock.sure());
  for (let batch = 0; batch < most; batch += 1) {
    if (!(await countBatch(insights, today - keptDays + 1))) return;
  }
}

/** @returns whether there may be more to count */
async function countBatch(insights: InsightsStore, keepFrom: number): Promise<boolean> {
  const { place: from } = await insights.read([]);
  const placed = await insights.feed(from, batchSize);
  const to = placed.at(-1)?.place;
  if (to === undefined) return false;
  const settled = placed.map(({ question }) => question).filter(({ state }) => state !== 'open');
  const counted = new Set(
    settled.map(({ requestedAt }) => dayOf(requestedAt)).filter((day) => day >= keepFrom),
  );
  // If another instance writes between the two reads, `from` is outdated, and nothing is written.
  const stored = await insights.read([...counted]);
  const days = new Map<number, DayCounts>(
    stored.days.map(({ day, counts }) => [day, unpackDay(parseDay(counts))]),
  );
  for (const question of settled) {
    const day = dayOf(question.requestedAt);
    if (day < keepFrom) continue;
    const counts = days.get(day) ?? emptyDay();
    days.set(day, counts);
    countQuestion(counts, question);
  }
  const written = [...days].map(([day, counts]) => ({ day, counts: dayText(counts) }));
  const isWritten = await insights.write({ from, to, days: written, keepFrom });
  return !isWritten || placed.length === batchSize;
}
