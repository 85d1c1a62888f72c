import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { run } from '../run.mjs';

const report = 'node_modules/.cache/countersign/tests.json';

/** Unit and contract tests that are slow: they start a database server, compilers or commands, or wait like clients. */
const notQuick = [
  'postgres-*',
  'snippets',
  'api-reference',
  'adr-node-test',
  'check-command*',
  'verify-audit',
  'two-step-reconnect',
];

/**
 * Runs Vitest, and counts the tests from its report. Prints the slowest files and tests.
 *
 * @param {{ node: string, env: Record<string, string> }} toolchain
 * @param {{ suite: 'main' | 'quick' | 'matrix', gates: string }} options `main`: everything except the rows of long tables
 * that only `matrix` runs; `quick`: unit and contract tests without the slow ones. `gates`: where the tests wait for
 * gates (`serve-results.mjs`)
 * @returns {Promise<{ passed: number, failures: string[] }>} a file that fails outside a test counts as one
 * failure
 */
export async function runTests({ node, env }, { suite, gates }) {
  mkdirSync(dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const reporters = ['default', 'json', './scripts/test/progress-reporter.mjs'];
  const args = [...reporters.map((name) => `--reporter=${name}`), `--outputFile.json=${report}`];
  if (suite === 'quick') {
    args.push('--project=unit', '--project=contract', '--project=alone');
    args.push('--exclude=tests/{adr,e2e}/**', ...notQuick.map((files) => `--exclude=**/${files}.test.ts`));
  }
  const { code } = await run(node, ['node_modules/vitest/vitest.mjs', 'run', ...args], {
    env: {
      ...env,
      NODE_ENV: 'test',
      // Each process reads what the ones before compiled.
      NODE_COMPILE_CACHE: resolve('node_modules/.cache/countersign/compiled'),
      ...(suite === 'matrix' && { COUNTERSIGN_TESTS: 'matrix' }),
      COUNTERSIGN_GATES: gates,
    },
  });
  if (!existsSync(report)) return { passed: 0, failures: ['the tests ended without a report'] };
  const counts = countsOf(JSON.parse(readFileSync(report, 'utf8')));
  // An error outside all tests, such as an unhandled rejection, appears only in the exit code.
  if (code !== 0 && counts.failures.length === 0) counts.failures.push('an error outside the tests');
  return counts;
}

/**
 * @typedef {{ status: string, fullName: string, failureMessages: string[] }} TestResult
 * @param {{ numPassedTests: number, testResults: { name: string, status: string, message: string, assertionResults: TestResult[] }[] }} report
 */
function countsOf({ numPassedTests, testResults }) {
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const tests = assertionResults
      .filter((result) => result.status === 'failed')
      .map((result) => `${file}: ${result.fullName}: ${firstLine(result.failureMessages.join('\n'))}`);
    return status === 'failed' && tests.length === 0 ? [`${file}: ${firstLine(message)}`] : tests;
  });
  return { passed: numPassedTests, failures };
}

/** @param {string} text */
function firstLine(text) {
  return text.split('\n', 1)[0];
}
