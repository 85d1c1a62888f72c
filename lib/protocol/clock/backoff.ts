/**
 * How long to wait after so many failures in a row, counted from 1: twice as long each time, up to a limit.
 *
 * @returns milliseconds
 */
export function backoff(failures: number, firstMs: number, longestMs: number): number {
  return Math.min(firstMs * 2 ** (failures - 1), longestMs);
}
