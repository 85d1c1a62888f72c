import type { FlowClock } from '../../log/flow-clock.ts';
import type { FlowStore } from '../../log/store/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import {
  countQuestion,
  type DayCounts,
  dayOf,
  dayText,
  emptyDay,
  parseDay,
  type StoredDay,
  startOfDay,
  unpackDay,
} from './day-counts.ts';

const batchSize = 200;

/** Days of which counts are kept, including today. */
export const keptDays = 400;

const countedDays = { plugin: 'insights', kind: 'day' };
/** The place in the feed of questions up to which they are counted. */
const countedTo = { plugin: 'insights', kind: 'place', key: 'counted' };

/** What counting works with. */
export type CountingParts = {
  readonly store: Pick<FlowStore, 'questions' | 'records'>;
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
  const today = dayOf(await parts.clock.sure());
  for (let batch = 0; batch < most; batch += 1) {
    if (!(await countBatch(parts.store, today))) return;
  }
}

/** The counted ones of these days, in order. */
export async function readDays(
  { records }: Pick<FlowStore, 'records'>,
  days: Iterable<number>,
): Promise<readonly (readonly [day: number, counts: StoredDay])[]> {
  const found = await records.read(countedDays, [...days].map(String));
  return found
    .map(({ key, value }) => [Number(key), parseDay(value)] as const)
    .toSorted(([one], [other]) => one - other);
}

/** @returns whether there may be more to count */
async function countBatch(store: CountingParts['store'], today: number): Promise<boolean> {
  const keepFrom = today - keptDays + 1;
  const [from] = await store.records.read(countedTo, [countedTo.key]);
  const placed = await store.questions.feed(Number(from?.value ?? 0), batchSize);
  const to = placed.at(-1)?.place;
  if (to === undefined) return false;
  const settled = placed.map(({ question }) => question).filter(({ state }) => state !== 'open');
  const counted = new Set(
    settled.map(({ requestedAt }) => dayOf(requestedAt)).filter((day) => day >= keepFrom),
  );
  // If another instance writes between the two reads, `from` is outdated, and nothing is written.
  const stored = await readDays(store, counted);
  const days = new Map<number, DayCounts>(stored.map(([day, counts]) => [day, unpackDay(counts)]));
  for (const question of settled) {
    const day = dayOf(question.requestedAt);
    if (day < keepFrom) continue;
    const counts = days.get(day) ?? emptyDay();
    days.set(day, counts);
    countQuestion(counts, question);
  }
  const over = await store.records.due({ ...countedDays, now: startOfDay(today), limit: batchSize });
  const unexpected = await store.records.write([
    { ...countedTo, value: String(to), expects: from?.version ?? 'absent' },
    ...[...days].map(([day, counts]) => ({
      ...{ ...countedDays, key: String(day), value: dayText(counts) },
      dueAt: startOfDay(day + keptDays),
    })),
    ...over.map(({ key }) => ({ ...countedDays, key, isDeleted: true as const })),
  ]);
  return unexpected !== undefined || placed.length === batchSize;
}
