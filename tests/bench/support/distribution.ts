/** What a table says of many measurements, in milliseconds. */
export type Distribution = {
  readonly count: number;
  readonly median: number;
  readonly p99: number;
  readonly max: number;
};

/** @param values at least one, in milliseconds */
export function distributionOf(values: readonly number[]): Distribution {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { count: sorted.length, median: at(0.5), p99: at(0.99), max: at(1) };
}

/** @param values at least one */
export function median(values: readonly number[]): number {
  return distributionOf(values).median;
}
