import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { TestModule, TestProject } from 'vitest/node';
import { keyOf, readerOf } from './what-it-reads.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The full titles of the tests that are skipped, by the path of their file. */
    passedBefore: Readonly<Record<string, readonly string[]>>;
  }
}

/** Why a test was skipped, and how to run it. */
export const reason =
  'passed on the same files before; to run it: COUNTERSIGN_RUN_ALL=1 npm test, or npx vitest run with its file';

/** One run of the package tests. */
type Run = {
  /** Whether any file is left to run. */
  readonly isDue: boolean;
  /** Records the files that have passed as a whole. To be called at the end of the run. */
  readonly record: () => void;
};

/**
 * Skips the package tests that have passed on the same files before, and prints which. Nothing is skipped if `CI` or
 * `COUNTERSIGN_RUN_ALL` is set, or if the command names files or tests. The record is a file for each test file and hash in
 * `node_modules/.cache/countersign/passed/`, so a clean clone runs all of them.
 */
export async function skipWhatPassed(project: TestProject): Promise<Run> {
  const { root } = project.config;
  const folder = join(root, 'node_modules/.cache/countersign/passed');
  const suite = process.env.COUNTERSIGN_TESTS ?? 'main';
  const { testFiles } = await project.globTestFiles();
  const keysNow = () => {
    const read = readerOf(root);
    return new Map(testFiles.map((file) => [file, keyOf(root, relative(root, file), suite, read)]));
  };
  const keys = keysNow();
  const passed = skipsNothing(project, testFiles) ? {} : recordsOf(keys, folder);
  project.provide('passedBefore', passed);
  const skipped = Object.keys(passed);
  if (skipped.length > 0) {
    const names = skipped.map((file) => relative(join(root, 'tests/package'), file)).join(', ');
    console.log(
      `Skipped ${skipped.length} of ${testFiles.length} files of package tests (${names}): ${reason}.`,
    );
  }
  return {
    isDue: skipped.length < testFiles.length,
    record() {
      const { state } = project.vitest;
      const keysAfter = keysNow();
      mkdirSync(folder, { recursive: true });
      for (const module of state.getTestModules()) {
        const key = keys.get(module.moduleId);
        if (module.project !== project || key === undefined || passed[module.moduleId]) continue;
        const file = join(folder, key);
        // What has failed once is not to be trusted, even if it has passed on the same files.
        if (!module.ok()) rmSync(file, { force: true });
        // A file that was edited during the run may have been read before or after that.
        const isSame = keysAfter.get(module.moduleId) === key;
        if (isSame && state.getUnhandledErrors().length === 0 && passedAsWhole(module)) {
          writeFileSync(file, JSON.stringify(titlesOf(module)));
        }
      }
    },
  };
}

/** Whether each of its tests has run and passed, and its hooks, too. */
function passedAsWhole(module: TestModule): boolean {
  const tests = [...module.children.allTests()];
  return module.state() === 'passed' && tests.every((test) => test.result().state === 'passed');
}

function titlesOf(module: TestModule): string[] {
  return [...module.children.allTests()].map(({ fullName }) => fullName);
}

function skipsNothing({ vitest, config }: TestProject, testFiles: readonly string[]): boolean {
  const { CI = '', COUNTERSIGN_RUN_ALL = '' } = process.env;
  const isSet = (value: string) => !['', '0', 'false'].includes(value);
  const paths = new Set(vitest.state.getPaths());
  const isPart = config.testNamePattern !== undefined || !testFiles.every((file) => paths.has(file));
  return isSet(CI) || isSet(COUNTERSIGN_RUN_ALL) || isPart;
}

function recordsOf(keys: ReadonlyMap<string, string | undefined>, folder: string): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const [file, key] of keys) {
    const titles = key === undefined ? undefined : titlesIn(join(folder, key));
    if (titles !== undefined) found[file] = titles;
  }
  return found;
}

/** The titles in a record; undefined, if there is none, or if it was not written to its end. */
function titlesIn(file: string): string[] | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
