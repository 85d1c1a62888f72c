import { beforeAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** What a file does not run in this run: counts by reason. The report of `npm test` adds them up. */
    leftOut?: Record<string, number>;
  }
}

/**
 * Records that the file that is being collected leaves something out.
 *
 * @param count how much
 * @param reason what it is, and why or where it runs: `rows of long tables: npm run test:matrix runs them`
 */
export function leaveOut(count: number, reason: string): void {
  if (count === 0) return;
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads what a hook needs from its first parameter
  beforeAll(({}, { file: { meta } }) => {
    meta.leftOut = { ...meta.leftOut, [reason]: (meta.leftOut?.[reason] ?? 0) + count };
  });
}
