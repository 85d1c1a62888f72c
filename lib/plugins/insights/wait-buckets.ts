/** The largest relative error of an estimated waiting time. */
export const waitError = 1 / 21;

/** Each edge is at most a tenth above the previous one, so the middle of a bucket is within `waitError` of all its values. */
const growth = 1.1;
const longestMs = 400 * 86_400_000;

/**
 * The smallest waiting time of each bucket, in milliseconds. Whole numbers, so that every machine puts a time into the same bucket.
 * Buckets below 20 ms contain a single value.
 */
export const waitEdges: readonly number[] = edges();

function edges(): number[] {
  const found = [0, 1];
  for (let last = 1; last < longestMs; ) {
    last = Math.max(last + 1, Math.floor(last * growth));
    found.push(last);
  }
  return found;
}

/** The number of the bucket that contains a waiting time in milliseconds. Longer ones than 400 days are in the last bucket. */
export function waitBucketOf(waitMs: number): number {
  let low = 0;
  let high = waitEdges.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((waitEdges[middle] ?? 0) <= waitMs) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The estimate for all values of a bucket, in milliseconds: as far, relatively, from its first value as from its last. */
export function waitOfBucket(bucket: number): number {
  const first = waitEdges[bucket] ?? 0;
  const last = (waitEdges[bucket + 1] ?? first + 1) - 1;
  return first === last ? first : (2 * first * last) / (first + last);
}

/** How many values are in each bucket, by its number. */
export type WaitBuckets = number[];

/** Buckets without values. */
export function emptyBuckets(): WaitBuckets {
  return Array<number>(waitEdges.length).fill(0);
}

/**
 * Estimates the value at a rank: the smallest value that at least this share of all values do not exceed.
 *
 * @param share more than 0, at most 1
 * @returns milliseconds, within `waitError` of the exact value; `undefined` if there are no values
 */
export function waitAt(share: number, buckets: readonly number[]): number | undefined {
  const total = buckets.reduce((sum, count) => sum + count, 0);
  const rank = Math.ceil(share * total);
  let passed = 0;
  for (const [bucket, count] of buckets.entries()) {
    passed += count;
    if (count > 0 && passed >= rank) return Math.round(waitOfBucket(bucket));
  }
  return undefined;
}
