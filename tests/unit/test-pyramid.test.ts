// depends on: scripts/pyramid
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { countLines } from '../../scripts/pyramid/count-lines.mjs';
import { countLevels } from '../../scripts/pyramid/levels.mjs';

it.each([
  ['tests/unit/json.test.ts', 'unit'],
  ['tests/contract/flow/gate.test.ts', 'rule tables'],
  ['tests/adr/0001-one-log.test.ts', 'rule tables'],
  ['tests/contract/dialects/two-step-stream.test.ts', 'adapters'],
  ['tests/contract/store.contract.test.ts', 'adapters'],
  ['tests/e2e/reload.e2e.test.ts', 'adapters'],
  ['tests/simulator/simulate.test.ts', 'simulator'],
  ['tests/browser/inbox.test.ts', 'browser'],
  ['tests/package/tarball.test.ts', 'package'],
  ['tests/new/first.test.ts', 'other'],
])('%s is in the level %s', (file, level) => {
  const counted = countLevels([file], { [file]: { ms: 5, tests: 2 } }).filter(({ files }) => files > 0);
  expect(counted).toMatchObject([{ name: level, files: 1, unknown: 0, tests: 2, ms: 5 }]);
});

it('a file that has not run is counted, without tests', () => {
  expect(countLevels(['tests/unit/json.test.ts'], {})[0]).toMatchObject({ files: 1, unknown: 1, tests: 0 });
});

it('lines of the benchmark, of recordings and of the upgrade suite do not count, nor those of other languages', () => {
  const root = mkdtempSync(join(tmpdir(), 'lines-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const counted = ['lib/a.ts', 'lib/react/b.tsx', 'tests/unit/a.test.ts'];
  const others = [
    'lib/a.css',
    'tests/bench/a.ts',
    'tests/upgrade/a.ts',
    'tests/unit/recorded/a.ts',
    'app/a.ts',
  ];
  for (const file of [...counted, ...others]) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), 'one\ntwo\n');
  }
  expect(countLines(root)).toEqual({ lib: 4, tests: 2 });
});
