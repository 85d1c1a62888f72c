import type { Question } from '../../protocol/index.ts';
import { emptyBuckets, type WaitBuckets, waitBucketOf } from './wait-buckets.ts';

/** What is counted of questions. Each is a number of questions. */
export const countNames = ['approved', 'quick', 'edited', 'denied', 'expired', 'withdrawn'] as const;

type CountName = (typeof countNames)[number];

/** Counts of questions that are no longer open, and the waiting times of those that were answered. */
export type Tally = { readonly counts: number[]; readonly waits: WaitBuckets };

/** An approval within this time, in milliseconds, counts as quick. */
const quickMs = 3_000;

/** An empty tally. */
export function emptyTally(): Tally {
  return { counts: countNames.map(() => 0), waits: emptyBuckets() };
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

/** A tally as it is stored: the counts, and the buckets that are not empty, each as its number and its count, in one list. */
export type PackedTally = readonly [counts: readonly number[], waits: readonly number[]];

/** @see PackedTally */
export function packTally({ counts, waits }: Tally): PackedTally {
  return [counts, waits.flatMap((count, bucket) => (count > 0 ? [bucket, count] : []))];
}

/** Adds a tally to another, without unpacking it: a report adds thousands of them. */
export function addPacked(to: Tally, [counts, waits]: PackedTally): void {
  for (let index = 0; index < counts.length; index += 1) {
    to.counts[index] = (to.counts[index] ?? 0) + (counts[index] ?? 0);
  }
  for (let index = 0; index < waits.length; index += 2) {
    const bucket = waits[index] ?? 0;
    to.waits[bucket] = (to.waits[bucket] ?? 0) + (waits[index + 1] ?? 0);
  }
}

/** The tally of one question; `undefined` while it is open. */
export function tallyOf({ state, answer, requestedAt, waitsIn }: Question): PackedTally | undefined {
  if (state === 'open') return undefined;
  const counted = (...names: CountName[]) => countNames.map((name) => (names.includes(name) ? 1 : 0));
  if (!answer) return [counted(state === 'expired' ? 'expired' : 'withdrawn'), []];
  const waitMs = Math.max(0, answer.at - requestedAt);
  const waits = [waitBucketOf(waitMs), 1];
  if (!answer.approved) return [counted('denied'), waits];
  const isQuick = waitMs <= quickMs;
  // What a running call asked for is entered, not edited.
  const isEdited = answer.input !== undefined && !waitsIn;
  return [
    counted('approved', ...(isQuick ? ['quick' as const] : []), ...(isEdited ? ['edited' as const] : [])),
    waits,
  ];
}
