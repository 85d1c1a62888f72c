/** Doubles with each failure in a row, counted from 1, up to a limit. Milliseconds. */
export function backoff(failures: number, firstMs: number, longestMs: number): number {
  return Math.min(firstMs * 2 ** (failures - 1), longestMs);
}
