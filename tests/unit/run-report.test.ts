// depends on: only its imports
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rerunCommand } from '../../scripts/test/rerun-command.mjs';
import { expectedRest } from '../../scripts/test/timings.mjs';

const root = resolve(import.meta.dirname, '../..');

describe('the expected rest of a run', () => {
  const files = { a: { ms: 1_000, tests: 1 }, b: { ms: 3_000, tests: 1 }, c: { ms: 4_000, tests: 1 } };
  const start = { done: [], left: ['a', 'b', 'c'], elapsedMs: 0, workers: 4 };

  it.each([
    ['is not known without records', {}, start, undefined],
    ['is not known if most files have no record', { files }, { ...start, left: ['a', 'x', 'y'] }, undefined],
    ['assumes that all workers are busy, before the first whole run', { files }, start, 2_000],
    ['assumes the speed of the last whole run', { files, speed: 2 }, start, 4_000],
    [
      'goes on at the speed of what has run',
      { files, speed: 2 },
      { ...start, done: ['c'], left: ['a', 'b'], elapsedMs: 8_000 },
      8_000,
    ],
    [
      'expects of an unknown file what is average',
      { files, speed: 1 },
      { ...start, left: ['a', 'b', 'x'] },
      6_000,
    ],
  ])('%s', (_title, timings, run, expected) => {
    expect(expectedRest({ files: {}, ...timings }, run)).toBe(expected);
  });
});

describe('the command that runs only one test', () => {
  const file = 'tests/unit/a.test.ts';

  it.each([
    [
      'of a test',
      { file, title: 'a suite > does it', isMatrix: false },
      `npx vitest run ${file} -t "^a suite > does it$"`,
    ],
    [
      'of a title with signs of patterns',
      { file, title: 'does it [x]', isMatrix: false },
      `npx vitest run ${file} -t '^does it \\[x\\]$'`,
    ],
    [
      'of a title with both quotes',
      { file, title: `says "it's"`, isMatrix: false },
      `npx vitest run ${file} -t '^says "it'\\''s"$'`,
    ],
    ['of a file that does not load', { file, isMatrix: false }, `npx vitest run ${file}`],
    ['of a row of the matrix', { file, isMatrix: true }, `COUNTERSIGN_TESTS=matrix npx vitest run ${file}`],
  ])('%s', (_what, test, command) => {
    expect(rerunCommand(test)).toBe(command);
  });
});

describe('the report of a run', () => {
  // Within the project, so that Vitest is found, in a folder that git ignores.
  mkdirSync(join(root, '.countersign'), { recursive: true });
  const folder = mkdtempSync(join(root, '.countersign/run-report-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function report(...filters: string[]): string {
    const reporter = join(root, 'scripts/test/progress-reporter.mjs');
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [vitest, 'run', '--root', '.', `--reporter=${reporter}`, ...filters],
      { cwd: folder, encoding: 'utf8', env: { ...process.env, COUNTERSIGN_CACHE: folder, NO_COLOR: '1' } },
    );
    return `${stdout}${stderr}`;
  }

  beforeAll(() => {
    writeFileSync(
      join(folder, 'vitest.config.mjs'),
      'export default { test: { name: "plain", maxWorkers: 1 } };',
    );
    writeFileSync(
      join(folder, 'mixed.test.js'),
      `import { describe, expect, it } from 'vitest';
      describe('the suite', () => {
        it('passes', () => { console.log(['printed', 'by the passing test'].join(' ')); expect(1).toBe(1); });
        it('fails', () => { console.log('printed by the failing test'); expect(1).toBe(2); });
        it('is left out', (context) => context.skip('passed on the same sources'));
      });`,
    );
    writeFileSync(
      join(folder, 'sound.test.js'),
      `import { it } from 'vitest';\nit('passes', ({ expect }) => expect(1).toBe(1));`,
    );
  });

  it('has a line for each file, and only what failed in detail', () => {
    const text = report();
    expect(text).toMatch(/^ok {3}sound\.test\.js \(1 tests, [\d.]+ s\) +\d\/2, 0:\d\d$/m);
    expect(text).toMatch(/^FAIL mixed\.test\.js \(2 tests, 1 failed, [\d.]+ s\) +\d\/2, 0:\d\d$/m);
    expect(text).toContain('expected 1 to be 2');
    expect(text).toContain('It printed:\nprinted by the failing test');
    expect(text).not.toContain('printed by the passing test');
    expect(text).toContain('To run only this: npx vitest run mixed.test.js -t "^the suite > fails$"');
    expect(text).toMatch(/Left out:\n +1 {2}tests: passed on the same sources/);
  });

  it('expects the rest from the last run', () => {
    report('sound');
    expect(report('sound')).toMatch(/^1 files \(plain 1\), about 0:\d\d left$/m);
  });

  it('runs only one test by the command that it prints', () => {
    const [, pattern = ''] = /-t "(.*)"/.exec(report('mixed')) ?? [];
    expect(report('mixed', '-t', pattern)).toMatch(/^FAIL mixed\.test\.js \(1 tests, 1 failed/m);
  });
});
