import { expect, it } from 'vitest';
import { rowsOfThisRun } from '../support/matrix.ts';
import { simulate } from '../support/simulate.ts';

it.each(rowsOfThisRun([1, 53, 193, 275], (seed) => seed === 1))(
  'Seed %i produces one trace, in every process and on every repetition',
  async (seed) => {
    const [one, other] = await Promise.all([simulate('--seed', seed), simulate('--seed', seed)]);
    expect(digestOf(one.output)).toMatch(/^[0-9a-f]{64}$/);
    expect(digestOf(other.output)).toBe(digestOf(one.output));
  },
);

it.each(rowsOfThisRun([4, 60], (count) => count === 4))(
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
