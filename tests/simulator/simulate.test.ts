import { expect, it } from 'vitest';
import { rowsOfThisRun } from '../support/matrix.ts';
import { simulate } from '../support/simulate.ts';

/** A process plays 20 schedules at a time, and those that failed before count, so that the second one also gets some. */
it.each(rowsOfThisRun([10, 60], (count) => count === 10))(
  'Of %i schedules, none leaves anything behind that changes the next one in its process',
  async (count) => {
    const [alone, shared] = await Promise.all(
      [1, 2].map((workers) => simulate('--count', count, '--base', 7, '--workers', workers)),
    );
    expect(digestOf(alone?.output)).toMatch(/^[0-9a-f]{64}$/);
    expect(digestOf(shared?.output)).toBe(digestOf(alone?.output));
  },
);

/** In the matrix there are enough for each invariant to have something to check. @source ADR 0024 */
it.each(rowsOfThisRun([100, 1_000], (count) => count === 100))(
  'keeps the promises in %i schedules from a fresh base seed, after the seeds that failed before',
  async (count) => {
    const { output, code } = await simulate('--count', count, '--workers', 2);
    console.log(output);
    expect(code, output).toBe(0);
  },
);

function digestOf(output = ''): string | undefined {
  return /digest ([0-9a-f]+)/.exec(output)?.[1];
}
