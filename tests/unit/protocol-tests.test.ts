// depends on: scripts/protocol-tests scripts/protocol-tests.mjs
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

/** The command that `npm test` runs over this repository, here over small ones. */
const folder = mkdtempSync(join(tmpdir(), 'protocol-tests-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sound: Readonly<Record<string, string>> = {
  'docs/protocol/http.md': '# HTTP\n\n### H1\n\nOne.\n\n### H2\n\nTwo.\n\n### H-Ids\n\nThree.\n',
  'docs/adr/0001-one.md': '# 0001. One\n\n## Clauses\n\n- **0001.1** One thing holds (H2).\n',
  'tests/one.test.ts': "it.each([1])('does one thing with %i [H1, H-Ids]', () => {});\n",
  'lib/one.ts': '/** One. @source H1-H2, H-Ids, ADR 0001, ADR 0001.1 */\nexport const one = 1;\n',
};

let count = 0;

function repository(changes: Readonly<Record<string, string>> = {}): string {
  const root = join(folder, String(++count));
  for (const [path, text] of Object.entries({ ...sound, ...changes })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

function run(root: string, ...args: string[]): { code: number | null; told: string } {
  const all = ['scripts/protocol-tests.mjs', ...args, root];
  const { status, stdout, stderr } = spawnSync(process.execPath, all, { encoding: 'utf8' });
  return { code: status, told: `${stderr}${stdout}` };
}

describe('The check of requirements, tests and sources', () => {
  it('passes once the page is written, and names the tests of each requirement there', () => {
    const root = repository();
    expect(run(root).told).toContain('3 requirements, 0 faults.');
    expect(run(root, '--check').code).toBe(0);
    const page = readFileSync(join(root, 'docs/protocol/tests.md'), 'utf8');
    expect(page).toContain('| [H1](http.md#h1) | [one](../../tests/one.test.ts) |');
    expect(page).toContain('| [H2](http.md#h2) | [adr/0001-one](../../tests/adr/0001-one.test.ts) |');
  });

  it.each<{ fault: string; changes: Readonly<Record<string, string>>; told: RegExp }>([
    {
      fault: 'a requirement without a test',
      changes: { 'tests/one.test.ts': "it('does one thing [H1]', () => {});\n" },
      told: /H-Ids has no test/,
    },
    {
      fault: 'a test of an unknown requirement',
      changes: { 'tests/two.test.ts': "describe('two things [H9]', () => {});\n" },
      told: /tests\/two.test.ts:1: .*there is no requirement H9/,
    },
    {
      fault: 'a title that begins with its id',
      changes: { 'tests/two.test.ts': "it('H1: does one thing [H1]', () => {});\n" },
      told: /put the ids in brackets at its end/,
    },
    {
      fault: 'a title that cites something else beside an id',
      changes: { 'tests/two.test.ts': "it('does one thing [H1, Errors]', () => {});\n" },
      told: /"Errors" is neither an id nor a decision/,
    },
    {
      fault: 'a clause that cites an unknown requirement',
      changes: { 'docs/adr/0002-two.md': '- **0002.1** Two things hold (T7).\n' },
      told: /0002-two.md: there is no requirement T7/,
    },
    {
      fault: 'a source that is not a requirement',
      changes: { 'lib/two.ts': '/**\n * Two.\n *\n * @source H1, H3\n */\n' },
      told: /lib\/two.ts:4: @source H1, H3: there is no requirement H3/,
    },
    {
      fault: 'a source that is not a decision',
      changes: { 'lib/two.ts': '/** Two. @source ADR 0001.7 */\n' },
      told: /there is no ADR 0001.7/,
    },
    {
      fault: 'a source in another form',
      changes: { 'lib/two.ts': '/** Two. @source a document, "Errors" */\n' },
      told: /"a document" is neither an id nor a decision/,
    },
    {
      fault: 'a requirement that is defined twice',
      changes: { 'docs/protocol/more.md': '# More\n\n### H1\n\nAgain.\n' },
      told: /H1 is defined twice/,
    },
  ])('fails for $fault', ({ changes, told }) => {
    const { code, told: output } = run(repository(changes));
    expect(output).toMatch(told);
    expect(code).toBe(1);
  });

  it('fails while the page is out of date', () => {
    const { code, told } = run(repository(), '--check');
    expect(told).toMatch(/tests\.md is out of date/);
    expect(code).toBe(1);
  });
});
