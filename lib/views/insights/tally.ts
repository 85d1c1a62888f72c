import type { Question } from '../../protocol/index.ts';
import { type WaitBuckets, waitBucketOf } from './wait-buckets.ts';

/** What is counted of questions. Each is a number of questions. */
export const countNames = ['approved', 'quick', 'edited', 'denied', 'expired', 'withdrawn'] as const;

type CountName = (typeof countNames)[number];

/** Counts of questions that are no longer open, and the waiting times of those that were answered. */
export type Tally = { readonly counts: number[]; readonly waits: WaitBuckets };

/** An approval within this time, in milliseconds, counts as quick. */
const quickMs = 3_000;

/** An empty tally. */
export function emptyTally(): Tally {
  return { counts: countNames.map(() => 0), waits: new Map() };
}

/** One of the counts. */
export function countIn({ counts }: Tally, name: CountName): number {
  return counts[countNames.indexOf(name)] ?? 0;
}

/** The number of questions in a tally. `quick` and `edited` are parts of `approved`. */
export function settledIn(tally: Tally): number {
  return (['approved', 'denied', 'expired', 'withdrawn'] as const).reduce(
    (sum, name) => sum + countIn(tally, name),
    0,
  );
}

/** Adds one tally to another. */
export function addTally(to: Tally, { counts, waits }: Tally): void {
  for (const [index, count] of counts.entries()) to.counts[index] = (to.counts[index] ?? 0) + count;
  for (const [bucket, count] of waits) to.waits.set(bucket, (to.waits.get(bucket) ?? 0) + count);
}

/** The tally of one question; `undefined` while it is open. */
export function tallyOf({ state, answer, requestedAt, heldBy }: Question): Tally | undefined {
  if (state === 'open') return undefined;
  const tally = emptyTally();
  const count = (name: CountName) => {
    tally.counts[countNames.indexOf(name)] = 1;
  };
  if (!answer) {
    count(state === 'expired' ? 'expired' : 'withdrawn');
    return tally;
  }
  const waitMs = Math.max(0, answer.at - requestedAt);
  tally.waits.set(waitBucketOf(waitMs), 1);
  count(answer.approved ? 'approved' : 'denied');
  if (!answer.approved) return tally;
  if (waitMs <= quickMs) count('quick');
  // What a running call asked for is entered, not edited.
  if (answer.input !== undefined && !heldBy) count('edited');
  return tally;
}
