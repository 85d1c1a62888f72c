import { inject } from 'vitest';
import { leaveOut } from './left-out.ts';

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
  const rowsOfRun = rows.filter((row, index) => isRepresentative(row, index) !== isMatrix);
  leaveOut(
    rows.length - rowsOfRun.length,
    `rows of long tables: ${isMatrix ? 'npm test' : 'npm run test:matrix'} runs them`,
  );
  return rowsOfRun;
}

/**
 * The rows of a table that makes the same assertions for each store: one store in `npm test`, the others in the matrix.
 *
 * @param rows begin with the name of the store
 * @param inMain the store of `npm test`: some tables take SQLite, others Postgres
 */
export function storesOfThisRun<Row extends readonly [store: string, ...unknown[]]>(
  rows: readonly Row[],
  inMain: 'SQLite' | 'Postgres',
): readonly Row[] {
  return rowsOfThisRun(rows, ([store]) => store === inMain);
}
