// depends on: lib scripts/snippets scripts/snippets.mjs
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hangMs } from '../support/hang-ms.ts';

const folder = mkdtempSync(join(tmpdir(), 'snippets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Fault = { readonly fault: string; readonly lines: readonly string[]; readonly told: RegExp };

/**
 * Runs the command that `npm test` runs over the documentation, over documents with these lines.
 *
 * @returns its exit code, what it printed, and the faults of each document
 */
function check(documents: readonly (readonly string[])[]) {
  const paths = documents.map((lines, index) => {
    const path = join(folder, `document-${index}.md`);
    writeFileSync(path, `${lines.join('\n')}\n`);
    return path;
  });
  const args = ['scripts/snippets.mjs', ...paths];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const faultsOf = (path: string) =>
    stderr
      .split('\n')
      .filter((line) => line.startsWith(`${path}:`))
      .map((line) => line.replace(path, 'document'));
  return { code: status, printed: stdout, faults: paths.map((path) => faultsOf(path).join('\n')) };
}

/** Found when a document is read; then nothing is compiled. */
const unreadable: readonly Fault[] = [
  {
    fault: 'a language that is not checked',
    lines: ['```typescript', 'sqliteStore(', '```'],
    told: /document:1: a block of "typescript" is not checked/,
  },
  {
    fault: 'a block without a language',
    lines: ['```', 'sqliteStore(', '```'],
    told: /document:1: a block of "" is not checked/,
  },
  {
    fault: 'a block without an end',
    lines: ['```ts', 'const open = 1;'],
    told: /document:1: .* is not closed/,
  },
  {
    fault: 'two blocks of one path',
    lines: ['```ts', '// app/flow.ts', '```', '```ts', '// app/flow.ts', '```'],
    told: /document:5: there is another block app\/flow\.ts/,
  },
  {
    fault: 'a path that leads out of the document',
    lines: ['```ts', '// ../flow.ts', '```'],
    told: /document:2: \.\.\/flow\.ts is outside/,
  },
  {
    fault: 'a preamble that stands before nothing',
    lines: ['<!-- ts', 'declare const hidden: number;', '-->'],
    told: /document: a ts comment is not followed by a block/,
  },
];

/** Found by the compiler. */
const wrong: readonly Fault[] = [
  {
    fault: 'a setting that the library does not know',
    lines: [
      'Words.',
      '```ts',
      "import { sqliteStore } from 'countersign/store';",
      "sqliteStore({ file: 'chats.sqlite' });",
      '```',
    ],
    told: /document:4: error TS2353: .*'file' does not exist/,
  },
  {
    fault: 'a name that only another block has',
    lines: ['```ts', 'const first = 1;', '```', '```ts', 'console.log(first);', '```'],
    told: /document:5: error TS2304: Cannot find name 'first'/,
  },
  {
    fault: 'an export that a door does not have',
    lines: ['- in a list', '', '  ```tsx', "  import { useNothing } from 'countersign/react';", '  ```'],
    told: /document:4: error TS2305: .*no exported member 'useNothing'/,
  },
  {
    fault: 'a fault in what is not shown',
    lines: ['<!-- ts', 'const hidden: number = "text";', '-->', '', '```ts', 'hidden;', '```'],
    told: /document:6: error TS2322/,
  },
  {
    fault: 'a fault behind what is not shown',
    lines: ['<!-- ts', 'declare const hidden: number;', '-->', '', '```ts', 'hidden;', 'hidden.size;', '```'],
    told: /document:7: error TS2339/,
  },
];

describe('snippets of the documentation', () => {
  it(
    'pass when each compiles as a module of its own, with a preamble, or with another that it imports by its path',
    () => {
      const ofTheirOwn = [
        '```ts',
        "import { sqliteStore } from 'countersign/store';",
        "const store = sqliteStore({ path: ':memory:' });",
        '```',
        '```tsx',
        'const store = <p>Not the other one.</p>;',
        '```',
      ];
      const shared = [
        '<!-- ts every',
        'declare const price: number;',
        '-->',
        '<!-- ts app/hidden.ts',
        "export const currency = 'USD';",
        '-->',
        '```ts',
        '// app/total.ts',
        "import { currency } from './hidden';",
        'export const total = price + currency;',
        '```',
        '```ts',
        '// app/api/route.ts',
        "import { total } from '../total';",
        'export const length: number = total.length + price;',
        '```',
      ];
      const { code, printed } = check([ofTheirOwn, shared]);

      expect(printed).toContain('4 snippets in 2 documents, 0 faults.');
      expect(code).toBe(0);
    },
    hangMs,
  );

  describe.each([
    ['when they are read', unreadable],
    ['when they are compiled', wrong],
  ])('%s', (_when, rows) => {
    let checked: ReturnType<typeof check>;
    beforeAll(() => {
      checked = check(rows.map(({ lines }) => lines));
    }, hangMs);

    it.each(rows.map((row, index) => ({ ...row, index })))(
      'fail for $fault, with the line number',
      ({ index, told }) => {
        expect(checked.faults[index]).toMatch(told);
        expect(checked.code).toBe(1);
      },
    );

    it('have no other faults', () => {
      expect(checked.printed).toContain(`in ${rows.length} documents, ${rows.length} faults.`);
    });
  });
});
