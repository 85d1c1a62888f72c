import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  emptyBuckets,
  waitAt,
  waitBucketOf,
  waitEdges,
  waitError,
  waitOfBucket,
} from '../../lib/plugins/insights/wait-buckets.ts';

const longest = 400 * 86_400_000;

/** Waiting times as they occur: from a click to several months. */
const waits = fc.array(
  fc.oneof(fc.nat(50), fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: longest })),
  { minLength: 1, maxLength: 400 },
);

function bucketsOf(times: readonly number[]): number[] {
  const buckets = emptyBuckets();
  for (const time of times) buckets[waitBucketOf(time)] = (buckets[waitBucketOf(time)] ?? 0) + 1;
  return buckets;
}

/** The smallest value that at least this share of all values do not exceed. */
function exactAt(share: number, times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}

describe('buckets of waiting times [0052.4]', () => {
  it('begin at whole milliseconds, each at most a tenth above the previous one, unless it has a single value', () => {
    for (const [index, edge] of waitEdges.entries()) {
      const next = waitEdges[index + 1] ?? edge + 1;
      expect(Number.isInteger(edge)).toBe(true);
      expect(next).toBeGreaterThan(edge);
      if (next > edge + 1) expect(next).toBeLessThanOrEqual(edge * 1.1);
    }
    expect(waitEdges.length).toBeLessThan(300);
  });

  it.each([0, 1, 19, 2_999, 3_600_000, 86_400_000])('estimate %d ms within 1/21', (time) => {
    expect(Math.abs(waitOfBucket(waitBucketOf(time)) - time)).toBeLessThanOrEqual(waitError * time);
  });

  it('contain every time between their edges', () => {
    for (const [index, edge] of waitEdges.entries()) {
      expect(waitBucketOf(edge)).toBe(index);
      expect(waitBucketOf(Math.max(0, edge - 1))).toBe(Math.max(0, index - 1));
    }
  });

  it('put times beyond 400 days into the last one', () => {
    expect(waitBucketOf(Number.MAX_SAFE_INTEGER)).toBe(waitEdges.length - 1);
  });

  it.each([0.01, 0.5, 0.95, 1])(
    'estimate the value at the share %d within 5 %% of the exact one',
    (share) => {
      fc.assert(
        fc.property(waits, (times) => {
          const [exact, found] = [exactAt(share, times), waitAt(share, bucketsOf(times))];
          // The estimate is rounded to a whole millisecond.
          expect(Math.abs((found ?? Number.NaN) - exact)).toBeLessThanOrEqual(waitError * exact + 0.5);
          expect(Math.abs((found ?? Number.NaN) - exact)).toBeLessThanOrEqual(0.05 * exact);
        }),
      );
    },
  );

  it('give the same estimate when they are added up', () => {
    fc.assert(
      fc.property(waits, waits, (one, other) => {
        const more = bucketsOf(other);
        const added = bucketsOf(one).map((count, bucket) => count + (more[bucket] ?? 0));
        expect(waitAt(0.5, added)).toBe(waitAt(0.5, bucketsOf([...one, ...other])));
      }),
    );
  });

  it('have no estimate without a value', () => {
    expect(waitAt(0.5, emptyBuckets())).toBeUndefined();
  });
});
