import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { rootUrl } from '../support/patches/patch.ts';

/** A suite, by the name of its file. */
export type Suite =
  | 'sse-use-chat'
  | 'bidi-use-chat'
  | 'multi-tool-execution'
  | 'adr-0004'
  | 'response-timing';

/** The file of each suite, relative to the repository's root. */
export const suiteFiles: Record<Suite, string> = {
  'sse-use-chat': 'tests/e2e/sse-use-chat.e2e.test.tsx',
  'bidi-use-chat': 'tests/e2e/bidi-use-chat.e2e.test.tsx',
  'multi-tool-execution': 'tests/e2e/multi-tool-execution-e2e.test.tsx',
  'adr-0004': 'tests/adr/0004-response-timing.test.ts',
  'response-timing': 'tests/e2e/response-timing.e2e.test.ts',
};

/** All suites. */
export const suites: readonly Suite[] = [
  'sse-use-chat',
  'bidi-use-chat',
  'multi-tool-execution',
  'adr-0004',
  'response-timing',
];

/** How tests of the suites went. */
export type SuiteRun = {
  readonly passed: number;
  /** Each test that failed, by its whole name, and the first line of why. */
  readonly failures: readonly { readonly test: string; readonly why: string }[];
  /** What was printed, when files could not be loaded or nothing was reported. */
  readonly broken?: string;
};

type Report = {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
};

/**
 * Runs suites in a process of their own, up to their first failure.
 *
 * @param options.mutant the name of the mutant that is loaded; without one the product is as it is
 * @param options.signal ends the process
 * @param options.tests a regular expression for the names of the tests to run
 */
export async function runSuites(
  run: readonly Suite[],
  {
    mutant = '',
    tests = '',
    signal,
  }: { readonly mutant?: string; readonly tests?: string; readonly signal?: AbortSignal } = {},
): Promise<SuiteRun> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-mutant-'));
  const file = join(folder, 'report.json');
  const reporter = ['--reporter=json', `--outputFile.json=${file}`];
  const args = ['run', '--config', 'tests/mutants/suites.config.ts', ...reporter, '-t', tests];
  const child = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', ...args, ...run.map((suite) => suiteFiles[suite])],
    {
      cwd: fileURLToPath(rootUrl),
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'test',
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        NO_COLOR: '1',
        MUTANT: mutant,
      },
      signal,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  // An aborted process emits an error; what it printed until then is no report.
  child.on('error', () => {});
  const [printed, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const report: Report | undefined = await readFile(file, 'utf8').then(JSON.parse, () => undefined);
  await rm(folder, { recursive: true });
  if (!report) return { passed: 0, failures: [], broken: `${printed}\n${complained}` };

  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const failures = results
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages: [why = ''] }) => ({ test: fullName, why: firstLine(why) }));
  const broken = report.testResults.find(({ message }) => message !== '' && failures.length === 0);
  const passed = results.filter(({ status }) => status === 'passed').length;
  if (passed + failures.length === 0 && !broken) {
    return { passed, failures, broken: `No test of ${run.join(', ')} is called ${tests}.` };
  }
  return {
    passed,
    failures,
    ...(broken && { broken: broken.message }),
  };
}

function firstLine(message: string): string {
  return message.split('\n')[0] ?? '';
}
