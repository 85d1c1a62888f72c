import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ledgerFaults } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

/** A folder with empty files. */
function folderOf(files: readonly string[]): URL {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of files) writeFileSync(join(folder, file), '');
  return pathToFileURL(`${folder}/`);
}

describe('ledgerFaults', () => {
  it.each<[string, decisions: string[], suites: string[], faults: RegExp[]]>([
    ['nothing in a ledger that balances', ['0001-one.md', 'README.md'], ['0001-one.test.ts', 'proxy.ts'], []],
    ['nothing in suites of other runners', ['0001-one.md'], ['0001-one.spec.mjs'], []],
    [
      'a decision without a suite',
      ['0001-one.md', '0002-two.md'],
      ['0001-one.test.ts'],
      [/0002-two.*no suite/],
    ],
    ['a suite without a decision', [], ['0001-one.test.ts'], [/0001-one.*no decision/]],
    [
      'two decisions with one number',
      ['0001-one.md', '0001-other.md'],
      ['0001-one.test.ts', '0001-other.test.ts'],
      [/0001-other.*number/],
    ],
  ])('finds %s', (_what, decisions, suites, faults) => {
    const found = ledgerFaults({ decisions: folderOf(decisions), suites: folderOf(suites) });
    expect(found).toHaveLength(faults.length);
    for (const [index, fault] of faults.entries()) expect(found[index]).toMatch(fault);
  });

  it('finds nothing in this repository', () => {
    const root = new URL('../../../', import.meta.url);
    expect(
      ledgerFaults({ decisions: new URL('docs/adr/', root), suites: new URL('tests/adr/', root) }),
    ).toEqual([]);
  });
});
