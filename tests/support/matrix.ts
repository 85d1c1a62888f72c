import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether `npm run test:matrix` is running. */
    isMatrix: boolean;
  }
}

/**
 * Splits a long table: `npm test` runs the representative rows, and `npm run test:matrix` the others. All rows
 * make the same assertions. The files of the matrix are those that call this function, or that have rows whose
 * name ends in `OfThisRun`.
 *
 * @param isRepresentative at least one row must be, so that the assertions stay in `npm test`
 */
export function rowsOfThisRun<Row>(
  rows: readonly Row[],
  isRepresentative: (row: Row, index: number) => boolean,
): readonly Row[] {
  if (!rows.some(isRepresentative)) throw new Error('No row of this table is representative.');
  const isMatrix = inject('isMatrix');
  return rows.filter((row, index) => isRepresentative(row, index) !== isMatrix);
}
