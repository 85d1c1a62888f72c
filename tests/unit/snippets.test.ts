import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

/** The command that `npm test` runs over the documentation, here over documents with planted faults. */
const folder = mkdtempSync(join(tmpdir(), 'snippets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function check(name: string, ...lines: readonly string[]): { code: number | null; told: string } {
  const document = join(folder, `${name}.md`);
  writeFileSync(document, `${lines.join('\n')}\n`);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/snippets.mjs', document], {
    encoding: 'utf8',
  });
  return { code: status, told: `${stderr}${stdout}`.replaceAll(document, 'document') };
}

describe('snippets of the documentation', () => {
  it('pass when each compiles as a module of its own', () => {
    const { code, told } = check(
      'good',
      '```ts',
      "import { sqliteStore } from 'countersign/store';",
      "const store = sqliteStore({ path: ':memory:' });",
      '```',
      '```tsx',
      'const store = <p>Not the other one.</p>;',
      '```',
    );

    expect(told).toContain('2 snippets in 1 documents, 0 faults.');
    expect(code).toBe(0);
  });

  it.each([
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
      lines: [
        '<!-- ts',
        'declare const hidden: number;',
        '-->',
        '',
        '```ts',
        'hidden;',
        'hidden.size;',
        '```',
      ],
      told: /document:7: error TS2339/,
    },
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
  ])('fail for $fault, with the line number', ({ fault, lines, told }) => {
    const result = check(fault.replaceAll(/\W+/g, '-'), ...lines);

    expect(result.told).toMatch(told);
    expect(result.code).toBe(1);
  });

  it('share a preamble, and import each other by their paths', () => {
    const { code, told } = check(
      'shared',
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
    );

    expect(told).toContain('0 faults');
    expect(code).toBe(0);
  });
});
