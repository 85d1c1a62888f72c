// depends on: tests/package
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reason } from '../package/support/passed-before.ts';
import { run } from '../package/support/run.ts';
import { keyOf, readerOf } from '../package/support/what-it-reads.ts';
import { hangMs } from '../support/hang-ms.ts';

const root = resolve(import.meta.dirname, '../..');

const skipping = join(root, 'tests/package/support');

/** A small project with our package tests in name only. One passes as a whole, and the others do not. */
const files = {
  'lib/index.ts': '',
  'vitest.config.ts': `
    export default { test: { projects: [{ test: {
      include: ['tests/package/*.test.ts'],
      globalSetup: './tests/package/global-setup.ts',
      runner: '${skipping}/skipping-runner.ts',
    } }] } };`,
  'tests/package/global-setup.ts': `
    import { skipWhatPassed } from '${skipping}/passed-before.ts';
    export default async (project) => (await skipWhatPassed(project)).record;`,
  'tests/package/tarball.test.ts': `
    import { describe, expect, it } from 'vitest';
    console.log('The tarball is loaded.');
    describe('the tarball', () => { it('is small', () => expect(1).toBe(1)); it('is new', () => expect(1).toBe(1)); });`,
  'tests/package/examples.test.ts': `
    import { expect, it } from 'vitest';
    it('one is small', () => expect(1).toBe(1));
    it('one fails', () => expect(1).toBe(2));`,
  'tests/package/clients.test.ts': `
    import { expect, it } from 'vitest';
    it('one is small', () => expect(1).toBe(1));
    it('one is left out', ({ skip }) => skip());`,
  'tests/package/first-guide.test.ts': `
    import { afterAll, expect, it } from 'vitest';
    afterAll(() => { throw new Error('It cannot be stopped.'); });
    it('is small', () => expect(1).toBe(1));`,
  'tests/package/extend.test.ts': `
    import { appendFileSync } from 'node:fs';
    import { expect, it } from 'vitest';
    it('is edited while it runs', () => {
      appendFileSync('tests/package/extend.test.ts', '// edited');
      expect(1).toBe(1);
    });`,
};

/** What a run printed, and how each test of its tarball ended. */
type Played = { readonly printed: string; readonly ofTarball: readonly string[] };

type Report = {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
};

describe('package tests', { timeout: hangMs }, () => {
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-skipped-'));
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(join(root, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs the small project's tests. */
  async function play(
    args: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Played> {
    const file = join(folder, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const command = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...reporters, ...args];
    const usual = { CI: '', COUNTERSIGN_RUN_ALL: '', COUNTERSIGN_TESTS: '' };
    // Ends with a failure: one of the tests fails.
    const printed = await run(process.execPath, command, { cwd: folder, env: { ...usual, ...env } }).catch(
      String,
    );
    const { testResults }: Report = JSON.parse(readFileSync(file, 'utf8'));
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    const ofTarball = tests.filter(({ fullName }) => fullName.startsWith('the tarball'));
    return { printed, ofTarball: ofTarball.map(({ status }) => status) };
  }

  it('are skipped once their whole file has passed on the same files, and are reported as skipped', async () => {
    await play(['-t', 'is small']);
    const first = await play();
    expect(first.printed).not.toContain('Skipped ');
    expect(first.ofTarball).toEqual(['passed', 'passed']);
    const again = await play();
    expect(again.printed).toContain(`Skipped 1 of 5 files of package tests (tarball.test.ts): ${reason}.`);
    expect(again.printed).not.toContain('The tarball is loaded.');
    expect(again.ofTarball).toEqual(['skipped', 'skipped']);
  });

  it.each<[when: string, args: string[], env: Record<string, string>]>([
    ['in CI', [], { CI: 'true' }],
    ['if all tests are requested', [], { COUNTERSIGN_RUN_ALL: '1' }],
    ['if their file is named', ['tests/package/tarball.test.ts'], {}],
    ['for other rows of their tables', [], { COUNTERSIGN_TESTS: 'matrix' }],
  ])('are not skipped %s', async (_when, args, env) => {
    const { printed, ofTarball } = await play(args, env);
    expect(printed).not.toContain('Skipped ');
    expect(ofTarball).toEqual(['passed', 'passed']);
  });

  it('are not skipped after a file has changed that they depend on', async () => {
    writeFileSync(join(folder, 'lib/index.ts'), 'export {};');
    const { printed, ofTarball } = await play();
    expect(printed).not.toContain('Skipped ');
    expect(ofTarball).toEqual(['passed', 'passed']);
  });
});

describe('the key of a package test', () => {
  const readAsIs = readerOf(root);
  const keyWith = (changed: string, test: string) => {
    const read = (path: string) => (path === changed ? Buffer.from('changed') : readAsIs(path));
    return keyOf(root, `tests/package/${test}`, 'main', read);
  };
  const tests = globSync('*.test.{ts,tsx}', { cwd: join(root, 'tests/package') });
  const keys = new Map(tests.map((test) => [test, keyOf(root, `tests/package/${test}`, 'main', readAsIs)]));

  it.each([
    ...['lib/flow/index.ts', 'lib/react/styles.css', 'package.json', 'package-lock.json', 'tsconfig.json'],
    ...[
      'vitest.config.ts',
      'tests/package/global-setup.ts',
      'tests/package/support/run.ts',
      'tests/browser/launch.ts',
      'scripts/toolchain.mjs',
    ],
  ])('of each changes with %s', (path) => {
    expect(tests.length).toBeGreaterThan(8);
    expect(tests.filter((test) => keyWith(path, test) === keys.get(test))).toEqual([]);
  });

  it.each<[test: string, path: string]>([
    ['examples.test.ts', 'examples/next-full/app/page.tsx'],
    ['examples.test.ts', 'examples/node/package.json'],
    ['examples.test.ts', 'tests/package/support/runtimes.ts'],
    ['examples.test.ts', 'tests/support/postgres/server.ts'],
    ['first-guide.test.ts', 'docs/guides/get-started.md'],
    ['first-guide.test.ts', 'examples/next-minimal/app/page.tsx'],
    ['first-guide.test.ts', 'tests/support/openai-server.ts'],
    ['extend.test.ts', 'docs/guides/extend.md'],
    ['extend.test.ts', 'tests/contract/store-contract.ts'],
    ['extend.test.ts', 'app/layout.tsx'],
    ['clients.test.ts', 'tests/package/clients/drive.mjs'],
    ['clients.test.ts', 'tests/support/matrix.ts'],
    ['tarball.test.ts', 'README.md'],
    ['tarball.test.ts', 'CHANGELOG.md'],
    ...tests.map((test) => [test, `tests/package/${test}`] satisfies [string, string]),
  ])('of %s changes with %s', (test, path) => {
    expect(readAsIs(path).length).toBeGreaterThan(0);
    expect(keyWith(path, test)).not.toBe(keys.get(test));
  });

  it('does not change with files of other tests', () => {
    for (const path of [
      'docs/guides/extend.md',
      'examples/node/server.js',
      'tests/package/tarball.test.ts',
    ]) {
      expect(keyWith(path, 'node-versions.test.ts')).toBe(keys.get('node-versions.test.ts'));
    }
  });

  it('is missing for a test that does not declare what it reads', () => {
    expect(keyOf(root, 'tests/package/another.test.ts', 'main')).toBeUndefined();
  });
});
