// depends on: docs/guides/extend.md .dependency-cruiser.cjs biome.json app/_server/countersign.ts app/_channels app/_server/settings.ts app/_tools/index.ts app/_tools/tool-approval.ts docs/adr/0015-who-may-answer.md lib/dialects lib/server/dialect.ts lib/flow lib/server/server.ts lib/sse/fetch-handler.ts lib/stores/index.ts scripts/api-reference/entry-points.mjs tests/adr/0015-who-may-answer.test.ts tests/contract/store.contract.test.ts tests/contract/support/fake-flow.ts
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from './support/run.ts';

const root = resolve(import.meta.dirname, '../..');
const guide = 'docs/guides/extend.md';

/** What the diffs change, and what their tests need. */
const files = ['.gitignore', 'README.md', 'biome.json', 'package.json', 'tsconfig.json', 'vitest.config.ts'];
const folders = [
  'app',
  'docs',
  'lib',
  'scripts',
  ...['adr', 'contract', 'e2e', 'support', 'unit'].map((of) => `tests/${of}`),
];
const copied = ['.dependency-cruiser.cjs', ...files, ...folders];

/** Each section of the guide, and the test in which its addition does what the section says. */
const sections: readonly (readonly [heading: string, file: string, title: string])[] = [
  [
    'A tool',
    'tests/unit/app-send-note.test.ts',
    'asks before a note is sent, and sends it once it is approved',
  ],
  [
    'A rule',
    'tests/adr/0015-who-may-answer.test.ts',
    'Under `hasRole`, only a person with the role may answer [0015.15]',
  ],
  [
    'A field of a question',
    'tests/contract/question-field.test.ts',
    'shows everywhere whether a call may run again',
  ],
  ['A command', 'tests/contract/stop-all.test.ts', 'stops all chats of a person, and nobody else’s'],
  [
    'A store',
    'tests/contract/store.contract.test.ts',
    'sqlite, timed the log lets exactly one of many simultaneous batches win',
  ],
  ['A store', 'tests/unit/timed-store.test.ts', 'reports each append of a turn with its time'],
  [
    'A transport',
    'tests/e2e/direct-transport.e2e.test.ts',
    'carries a message, its question, the answer and the result',
  ],
  ['A dialect', 'tests/contract/dialects/plain-text.test.ts', 'streams a turn as text, over its question'],
  [
    'A channel',
    'tests/e2e/discord-channel.e2e.test.ts',
    'posts a question when it opens and when it is settled',
  ],
];

/** Of the long suites that a diff adds to, only what it adds. */
const onlyAdded = '0015\\.15|sqlite, timed|^(?!.*(sqlite|postgres|\\[\\d{4}\\.\\d+))';

let folder: string;
/** The repository as it is, and then with all the diffs. */
let tree: string;
let diffs: ReadonlyMap<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-extend-'));
  tree = join(folder, 'tree');
  await copyTo(tree);
  diffs = diffsOf(await readFile(join(root, guide), 'utf8'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the guide that says how to add a tool, a rule, a field of a question, a command, a store, a transport, a dialect and a channel', () => {
  it('has a diff in every section that is tested here, and in no other', () => {
    expect([...diffs.keys()]).toEqual([...new Set(sections.map(([heading]) => heading))]);
  });

  it('has diffs that each apply to the repository as it is, and not to a line that has changed', async () => {
    for (const diff of diffs.values()) await apply(diff, '--check');
    const [tool = ''] = diffs.values();
    const outdated = tool.replace(/^ {3}rotate_key: .*$/m, '$& // changed since');
    expect(outdated).not.toBe(tool);
    await expect(apply(outdated, '--check')).rejects.toThrow(/does not apply/);
  });

  describe('with all its diffs applied', () => {
    let changed: readonly string[];
    let passed: readonly string[];
    beforeAll(async () => {
      for (const diff of diffs.values()) await apply(diff);
      changed = [...diffs.values()].flatMap((diff) =>
        [...diff.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, f = '']) => f),
      );
      passed = await testsPassed();
    });

    it.each(sections)('%s: passes %s: %s', (_heading, file, title) => {
      expect(passed).toContain(`${file} ${title}`);
    });

    it('passes the whole store contract for the new store', () => {
      const contract = passed.filter((test) => test.includes(' sqlite, timed '));
      expect(contract.length).toBeGreaterThan(150);
    });

    it('compiles, is formatted, and follows the import rules', async () => {
      const code = changed.filter((file) => /[.]tsx?$/.test(file));
      await writeFile(
        join(tree, 'tsconfig.changed.json'),
        JSON.stringify({ extends: './tsconfig.json', include: [], files: code }),
      );
      await run(bin('tsc'), ['--noEmit', '--project', 'tsconfig.changed.json'], { cwd: tree });
      await run(bin('biome'), ['check', ...changed.filter((file) => !file.endsWith('.md'))], { cwd: tree });
      const library = code.filter((file) => /^(lib|app)\//.test(file));
      await run(bin('depcruise'), library, { cwd: tree });
    });
  });
});

/** The diffs of a page by section, each as one. */
function diffsOf(page: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const section of page.split(/^## /m).slice(1)) {
    const [heading = ''] = section.split('\n', 1);
    const blocks = [...section.matchAll(/^```diff\n([\s\S]*?)^```$/gm)].map(([, diff]) => diff);
    if (blocks.length > 0) found.set(heading, blocks.join(''));
  }
  return found;
}

async function copyTo(tree: string): Promise<void> {
  for (const path of copied) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await cp(join(root, path), join(tree, path), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'));
}

/** Applies a diff as `git apply` does: every line of context must be there. @throws Error if one is not */
async function apply(diff: string, ...options: readonly string[]): Promise<void> {
  const file = join(folder, 'change.diff');
  await writeFile(file, diff);
  // The folder for temporary files may be in a repository. There, git would ignore the diff.
  await run('git', ['apply', ...options, file], { cwd: tree, env: { GIT_CEILING_DIRECTORIES: tree } });
}

/** Runs the tests of the guide. Returns those that passed, as file and full title. @throws Error if one failed */
async function testsPassed(): Promise<string[]> {
  const tests = [...new Set(sections.map(([, file]) => file))];
  const report = join(tree, 'report.json');
  const options = ['--maxWorkers=2', '--reporter=json', `--outputFile=${report}`, '-t', onlyAdded];
  await run(bin('vitest'), ['run', ...options, ...tests], { cwd: tree });
  const { testResults }: Report = JSON.parse(await readFile(report, 'utf8'));
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed')
      .map(({ fullName }) => `${relative(tree, name)} ${fullName}`),
  );
}

type Report = {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
};

function bin(name: string): string {
  return join(root, 'node_modules/.bin', name);
}
