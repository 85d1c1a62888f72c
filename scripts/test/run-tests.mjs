import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run } from '../run.mjs';
import { cache } from '../toolchain.mjs';
import { rerunCommand } from './rerun-command.mjs';

const report = join(cache, 'tests.json');

/**
 * Runs Vitest, and counts the tests from its report.
 *
 * @typedef {{ text: string, command?: string }} Failure `command` runs only this test
 * @param {{ node: string, env: Record<string, string> }} toolchain
 * @param {{ files?: readonly string[], isMatrix: boolean, isVerbose: boolean, gates: string }} options `files`: default all;
 * `isMatrix`: the rows of long tables that `npm test` omits, instead of all others; `isVerbose`: also prints what passing
 * tests print; `gates`: where the tests wait for gates (`serve-results.mjs`)
 * @returns {Promise<{ passed: number, failures: Failure[] }>} a file that fails outside a test counts as one failure
 */
export async function runTests({ node, env }, { files, isMatrix, isVerbose, gates }) {
  if (files?.length === 0) return { passed: 0, failures: [] };
  mkdirSync(cache, { recursive: true });
  rmSync(report, { force: true });
  const reporters = ['json', './scripts/test/progress-reporter.mjs'];
  const args = [
    ...reporters.map((name) => `--reporter=${name}`),
    `--outputFile.json=${report}`,
    ...(files ?? []),
  ];
  const { code } = await run(node, ['node_modules/vitest/vitest.mjs', 'run', ...args], {
    env: {
      ...env,
      NODE_ENV: 'test',
      // Each process reads what the ones before compiled.
      NODE_COMPILE_CACHE: join(cache, 'compiled'),
      COUNTERSIGN_GATES: gates,
      ...(isMatrix && { COUNTERSIGN_TESTS: 'matrix' }),
      ...(isVerbose && { COUNTERSIGN_VERBOSE: '1' }),
      ...(files === undefined && { COUNTERSIGN_WHOLE_RUN: '1' }),
    },
  });
  if (!existsSync(report)) return { passed: 0, failures: [{ text: 'the tests ended without a report' }] };
  const counts = countsOf(JSON.parse(readFileSync(report, 'utf8')), isMatrix);
  // An error outside all tests, such as an unhandled rejection, appears only in the exit code.
  if (code !== 0 && counts.failures.length === 0)
    counts.failures.push({ text: 'an error outside the tests' });
  return counts;
}

/**
 * @typedef {{ status: string, ancestorTitles: string[], title: string, failureMessages: string[] }} TestResult
 * @param {{ numPassedTests: number, testResults: { name: string, status: string, message: string, assertionResults: TestResult[] }[] }} report
 * @param {boolean} isMatrix
 */
function countsOf({ numPassedTests, testResults }, isMatrix) {
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const failed = assertionResults.filter((result) => result.status === 'failed');
    if (status === 'failed' && failed.length === 0) {
      return [{ text: `${file}: ${firstLine(message)}`, command: rerunCommand({ file, isMatrix }) }];
    }
    return failed.map((test) => {
      const title = [...test.ancestorTitles, test.title].join(' > ');
      const text = `${file}: ${title}: ${firstLine(test.failureMessages.join('\n'))}`;
      return { text, command: rerunCommand({ file, title, isMatrix }) };
    });
  });
  return { passed: numPassedTests, failures };
}

/** @param {string} text */
function firstLine(text) {
  return text.split('\n', 1)[0];
}
