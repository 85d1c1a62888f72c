import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { choose } from '../mutants/guard/choose.ts';
import { ImportGraph } from '../mutants/guard/import-graph.ts';
import { readRecorded } from '../mutants/guard/recorded.ts';
import { promiseMutants } from '../mutants/promises/index.ts';
import { checkMutant, patchedFiles, rootUrl } from '../support/patches/patch.ts';

const names = promiseMutants.map(({ name }) => name);
const placesOf = (values: readonly string[]) => values.map((value) => values.indexOf(value));

describe('the mutants of the promises', () => {
  it('match the current files: whoever moves code moves its mutant', () => {
    expect(() => promiseMutants.forEach(checkMutant)).not.toThrow();
  });

  it('are at least 120, each with a name of its own and a promise', () => {
    expect(names.length).toBeGreaterThanOrEqual(120);
    expect(placesOf(names)).toEqual(names.map((_, index) => index));
    expect(promiseMutants.filter(({ promise }) => promise.trim() === '')).toEqual([]);
  });

  it('change `lib/`, and name suites that exist', () => {
    const files = promiseMutants.flatMap((mutant) =>
      [...patchedFiles(mutant).values()].map(({ file }) => file),
    );
    expect(files.filter((file) => !file.startsWith('lib/'))).toEqual([]);
    const suites = new Set(promiseMutants.flatMap((mutant) => mutant.suites));
    expect([...suites].filter((suite) => !existsSync(new URL(suite, rootUrl)))).toEqual([]);
    expect(promiseMutants.filter((mutant) => mutant.suites.length === 0)).toEqual([]);
  });

  it('are all that has a recorded result, and none is recorded as surviving', () => {
    const recorded = readRecorded();
    expect(Object.keys(recorded).filter((name) => !names.includes(name))).toEqual([]);
    expect(Object.values(recorded)).not.toContain('survives');
  });
});

describe('a run of the guard', () => {
  const mutant = (name: string) => ({ name, promise: 'P', file: '', find: '', replace: '', suites: [] });
  const sample = { one: [mutant('a'), mutant('b')], two: [mutant('c')] };
  const chosen = (options: Parameters<typeof choose>[1]) => choose(sample, options).map(({ name }) => name);

  it.each([
    [{}, ['a', 'b', 'c']],
    [{ only: ['one'] }, ['a', 'b']],
    [{ only: ['c', 'one', 'a'] }, ['c', 'a', 'b']],
    [{ shard: '1/2' }, ['a', 'c']],
    [{ shard: '2/2' }, ['b']],
    [{ only: ['one'], shard: '2/2' }, ['b']],
  ])('with %o plays %o', (options, expected) => {
    expect(chosen(options)).toEqual(expected);
  });

  it.each([
    [{ only: ['a', 'd'] }, 'No mutant and no area is called d. Areas: one, two.'],
    [{ shard: '3/2' }, '--shard 3/2 is no shard, such as 1/4.'],
    [{ shard: '0/2' }, '--shard 0/2 is no shard, such as 1/4.'],
    [{ shard: 'all' }, '--shard all is no shard, such as 1/4.'],
  ])('with %o is refused', (options, message) => {
    expect(() => chosen(options)).toThrow(message);
  });

  it('finds the suites that import a file, directly or through entry points, and no others', () => {
    const [parts, json] = ['tests/unit/text-parts.test.ts', 'tests/unit/json.test.ts'];
    const graph = new ImportGraph([parts, json, 'tests/unit/exit-codes.test.ts']);
    expect(graph.suitesOf(['lib/run/call/result/text-parts.ts'])).toEqual([parts]);
    expect(graph.suitesOf(['lib/protocol/json.ts'])).toContain(json);
    expect(graph.suitesOf(['lib/nothing.ts'])).toEqual([]);
  });
});
