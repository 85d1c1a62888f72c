// depends on: scripts/changed tests
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { affectedGates } from '../../scripts/changed/affected-gates.mjs';
import { affectedTests } from '../../scripts/changed/affected-tests.mjs';
import { changedFiles } from '../../scripts/changed/changed-files.mjs';
import { readGraph } from '../../scripts/changed/read-graph.mjs';
import { testFiles } from '../../scripts/test/test-files.mjs';
import { readRecorded } from '../mutants/guard/recorded.ts';
import { areas } from '../mutants/promises/index.ts';
import { rowsOfThisRun } from '../support/matrix.ts';
import { patchesOf } from '../support/patches/patch.ts';

const folder = mkdtempSync(join(tmpdir(), 'changed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = {
  'package.json': JSON.stringify({
    name: 'countersign',
    exports: { './sse': { 'countersign-source': './lib/sse/client.ts' } },
  }),
  'lib/log/append.ts': 'export const append = 1;',
  'lib/log/event.ts': 'export type Event = { id: string };',
  'lib/flow/index.ts':
    "import type { Event } from '../log/event.ts';\nexport { append } from '../log/append.ts';",
  'lib/sse/client.ts': 'export const client = 1;',
  'lib/react/card.css': '@import "./tokens.css";',
  'lib/react/tokens.css': '',
  'lib/cli/main.ts': "import '../log/append.ts';",
  'app/page.tsx': "import 'countersign/sse';\nimport '../lib/react/card.css';",
  'docs/guide.md': '',
  'tests/support/flow-fixture.ts': "export * from '../../lib/flow/index.ts';",
  'tests/support/read-guide.ts': "readFileSync(join(root, 'docs/guide.md'));",
  'tests/faults/support/child.ts': "import '../../../lib/sse/client.ts';",
  'tests/faults/kill.test.ts': "fork(new URL('./support/child.ts', import.meta.url));",
  'server.ts': '',
  'tests/support/server.ts': '',
  'tests/unit/append.test.ts': "import { append } from '../../lib/log/append.ts';",
  'tests/unit/client.test.ts': "import { client } from 'countersign/sse';",
  'tests/unit/flow.test.ts': "import '../support/flow-fixture.ts';",
  'tests/support/serve.ts':
    "import { serve } from './server.ts';\nimport type { Event } from '../../lib/log/event.ts';",
  'tests/unit/served.test.ts': "import { served } from '../support/serve.ts';",
  'tests/unit/guide.test.ts': "import '../support/read-guide.ts';",
  'tests/unit/recorded.test.ts': "readFileSync(new URL('./recorded/one.json', import.meta.url));",
  'tests/unit/recorded/one.json': '{}',
  'tests/unit/card.test.ts': "import '../../lib/react/card.css';",
  'tests/unit/command.test.ts': "const program = new URL('../../lib/cli/main.ts', import.meta.url);",
  'tests/unit/unclear.test.ts': "import { execFile } from 'node:child_process';\nexecFile(programOf(row));",
  'tests/unit/clear.test.ts':
    "// depends on: only its imports\nimport { execFile } from 'node:child_process';\nexecFile(programOf(row));",
  'tests/unit/folder.test.ts': '// depends on: lib/cli\nreaddirSync(folderOf(row));',
  'tests/browser/support/open.ts': 'export const open = 1;',
  'tests/browser/inbox.test.ts': "// depends on: app lib/react\nimport { open } from './support/open.ts';",
  'tests/browser/undeclared.test.ts': "import { open } from './support/open.ts';",
  'tests/package/tarball.test.ts': '// depends on: lib/flow\n',
};
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
const tests = Object.keys(files).filter((path) => /\.test\.tsx?$/.test(path));

/** The names of the selected tests, without those that always run. */
function selected(...changed: string[]): string[] {
  const reasons = affectedTests(readGraph(folder), tests, changed);
  return [...reasons.keys()]
    .filter((test) => !always.includes(test))
    .map((test) => test.slice('tests/'.length));
}

const always = ['tests/browser/undeclared.test.ts', 'tests/unit/unclear.test.ts'];

describe('a change selects the tests', () => {
  it.each([
    ['that import the file', 'lib/sse/client.ts', ['faults/kill.test.ts', 'unit/client.test.ts']],
    [
      'that import what imports it, and commands that load it',
      'lib/log/append.ts',
      ['unit/append.test.ts', 'unit/flow.test.ts', 'unit/command.test.ts', 'unit/folder.test.ts'],
    ],
    ['but not those that use only its types', 'lib/log/event.ts', []],
    [
      'that import the stylesheet which imports it',
      'lib/react/tokens.css',
      ['unit/card.test.ts', 'browser/inbox.test.ts'],
    ],
    ['but not those that import another file of that name', 'server.ts', []],
    ['that read the document', 'docs/guide.md', ['unit/guide.test.ts']],
    ['that read the recording', 'tests/unit/recorded/one.json', ['unit/recorded.test.ts']],
    ['that import the support file', 'tests/support/flow-fixture.ts', ['unit/flow.test.ts']],
    ['that start the program', 'tests/faults/support/child.ts', ['faults/kill.test.ts']],
    ['that start the command', 'lib/cli/main.ts', ['unit/command.test.ts', 'unit/folder.test.ts']],
    ['of the browser that declare the folder', 'app/page.tsx', ['browser/inbox.test.ts']],
    [
      'of the browser that import the support file',
      'tests/browser/support/open.ts',
      ['browser/inbox.test.ts'],
    ],
    [
      'of the package that declare the folder',
      'lib/flow/index.ts',
      ['unit/flow.test.ts', 'package/tarball.test.ts'],
    ],
    ['that are changed', 'tests/unit/append.test.ts', ['unit/append.test.ts']],
  ])('%s', (_which, path, expected) => {
    expect(selected(path).sort()).toEqual([...expected].sort());
  });

  it('that import a file which was deleted', () => {
    rmSync(join(folder, 'lib/sse/client.ts'));
    expect(selected('lib/sse/client.ts')).toContain('unit/client.test.ts');
    writeFileSync(join(folder, 'lib/sse/client.ts'), files['lib/sse/client.ts']);
  });

  it.each(['package.json', 'package-lock.json', 'vitest.config.ts', 'tsconfig.json'])(
    'all, if it is of %s',
    (path) => {
      expect(affectedTests(readGraph(folder), tests, [path]).size).toBe(tests.length);
    },
  );

  it('that read files or start programs without saying which, always', () => {
    const reasons = affectedTests(readGraph(folder), tests, ['LICENSE']);
    expect(Object.fromEntries(reasons)).toEqual({
      'tests/browser/undeclared.test.ts': 'declares no folders',
      'tests/unit/unclear.test.ts': 'reads files or starts programs, and declares none',
    });
  });
});

it('what tests declare exists', () => {
  const root = join(import.meta.dirname, '../..');
  const declared = globSync('tests/**/*.{ts,tsx}', { cwd: root })
    .flatMap((file) => /^\/\/ depends on: (.+)$/m.exec(readFileSync(join(root, file), 'utf8'))?.[1] ?? [])
    .filter((text) => text !== 'only its imports')
    .flatMap((text) => text.split(' '));
  expect(declared.length).toBeGreaterThan(100);
  expect(declared.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

describe('a change selects the suite that is recorded to kill a mutant of the file', () => {
  const root = join(import.meta.dirname, '../..');
  const graph = readGraph(root);
  const recorded = readRecorded();

  it.each(rowsOfThisRun(Object.entries(areas), ([area]) => area === 'endings'))('%s', (_area, mutants) => {
    for (const mutant of mutants.filter(({ name }) => name in recorded)) {
      const files = patchesOf(mutant).map(({ file }) => file);
      expect([...affectedTests(graph, testFiles(), files).keys()], mutant.name).toContain(
        recorded[mutant.name],
      );
    }
  });
});

describe('a change selects the gates', () => {
  const gates = [
    'library build',
    'app build',
    'types',
    'lint',
    'imports',
    'snippets',
    'API reference',
    'unused',
    'other',
  ];

  it.each([
    ['of the library', 'lib/log/append.ts', gates],
    ['of a page', 'app/page.tsx', ['app build', 'types', 'lint', 'imports', 'unused', 'other']],
    ['of a test', 'tests/unit/append.test.ts', ['types', 'lint', 'imports', 'unused', 'other']],
    ['of a document', 'docs/guides/guide.md', ['snippets', 'other']],
    ['of the lock file', 'package-lock.json', gates],
  ])('%s', (_what, path, expected) => {
    expect([...affectedGates(gates, [path], []).keys()]).toEqual(expected);
  });

  it('that selected tests wait for', () => {
    const reasons = affectedGates(gates, ['tests/browser/a.test.ts'], ['tests/browser/a.test.ts']);
    expect(reasons.get('app build')).toBe('tests of tests/browser/ wait for it');
    expect(reasons.has('library build')).toBe(false);
  });
});

describe('the files that differ from a revision', () => {
  it('include changed, deleted, renamed and new ones, and none that Git ignores', () => {
    const repository = mkdtempSync(join(tmpdir(), 'changed-files-'));
    const git = (...args: string[]) => execFileSync('git', args, { cwd: repository });
    const write = (path: string, text: string) => writeFileSync(join(repository, path), text);
    for (const path of ['kept', 'changed', 'deleted', 'old-name']) write(path, `${path}\n`.repeat(9));
    write('.gitignore', 'ignored\n');
    git('init', '--quiet');
    git('add', '--all');
    git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '--message', 'first');
    write('changed', 'now');
    write('ünew file', '');
    write('ignored', '');
    rmSync(join(repository, 'deleted'));
    git('mv', 'old-name', 'new-name');
    expect(changedFiles(repository, 'HEAD')).toEqual([
      'changed',
      'deleted',
      'new-name',
      'old-name',
      'ünew file',
    ]);
    expect(() => changedFiles(repository, 'no-such-revision')).toThrow('no-such-revision');
    rmSync(repository, { recursive: true });
  });
});
