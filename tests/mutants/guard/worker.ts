import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defaultServerConditions, type Plugin } from 'vite';
import type { TestModule } from 'vitest/node';
import { createVitest } from 'vitest/node';
import { type Mutant, patchedFiles, rootUrl } from '../../support/patches/patch.ts';
import { patchPlugin } from '../../support/patches/vite-patch.ts';
import type { SuiteRequest, SuiteRun } from './suite-run.ts';

/**
 * Runs test files for the guard, each in a process of its own. What Vitest transformed for one run is kept for the next,
 * except the files of the mutants, so a run costs little more than its tests.
 */
const root = fileURLToPath(rootUrl);
const source = 'countersign-source';
let loaded: Mutant | undefined;

/** The files of a mutant are not kept on disk, where another run would find them. */
const uncached: Plugin = {
  name: 'uncached-mutant',
  configureVitest({ defineCacheKeyGenerator }) {
    defineCacheKeyGenerator(({ id }) => (loaded && patchedFiles(loaded).has(id) ? false : undefined));
  },
};

const vitest = await createVitest(
  'test',
  {
    root,
    config: false,
    watch: false,
    environment: 'node',
    include: ['tests/**/*.test.{ts,tsx}'],
    pool: 'forks',
    globalSetup: `${root}tests/support/postgres/global-setup.ts`,
    fileParallelism: false,
    bail: 1,
    hookTimeout: 20_000,
    expect: { poll: { timeout: 8_000 } },
    provide: { isMatrix: false },
    fsModuleCache: true,
    fsModuleCachePath: `${root}node_modules/.cache/countersign/mutants`,
    // A mutant must not rewrite what was recorded.
    update: 'none',
    reporters: [{}],
    silent: true,
  },
  {
    resolve: { conditions: [source, ...defaultClientConditions] },
    ssr: {
      resolve: { conditions: [source, ...defaultServerConditions.filter((name) => name !== 'module')] },
    },
    plugins: [patchPlugin(() => loaded), uncached],
    logLevel: 'error',
  },
);

process.on('message', async (request: SuiteRequest) => process.send?.(await runSuite(request)));
process.on('disconnect', () => process.exit());

async function runSuite({ file, mutant }: SuiteRequest): Promise<SuiteRun> {
  if (loaded?.name !== mutant?.name) load(mutant);
  // Without a mutant, a test may be slow on a busy machine. With one, it may wait in vain.
  vitest.getRootProject().config.testTimeout = mutant ? 20_000 : 60_000;
  // `bail` counts the failures of earlier runs, too.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  const specification = vitest.getRootProject().createSpecification(`${root}${file}`);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification]);
  const [module] = testModules;
  if (!module) return { passed: 0, durations: {}, broken: `${file} was not run.` };
  const run = runOf(module);
  if (run.failure || run.broken !== undefined || unhandledErrors.length === 0) return run;
  return { ...run, failure: { test: 'an error outside the tests', why: firstLine(unhandledErrors[0]) } };
}

function load(mutant: Mutant | undefined): void {
  const files = [loaded, mutant].flatMap((each) => (each ? [...patchedFiles(each).keys()] : []));
  loaded = mutant;
  for (const file of files) vitest.invalidateFile(file);
}

function runOf(module: TestModule): SuiteRun {
  const tests = [...module.children.allTests()];
  const run = {
    passed: tests.filter((test) => test.result().state === 'passed').length,
    durations: Object.fromEntries(tests.map((test) => [test.fullName, test.diagnostic()?.duration ?? 0])),
  };
  const failed = tests.find((test) => test.result().state === 'failed');
  if (failed)
    return { ...run, failure: { test: failed.fullName, why: firstLine(failed.result().errors?.[0]) } };
  const hook = [...module.children.allSuites()].find((suite) => suite.errors().length > 0);
  if (hook) return { ...run, failure: { test: `${hook.fullName} (hook)`, why: firstLine(hook.errors()[0]) } };
  const [error] = module.errors();
  if (!error) return run;
  const why = firstLine(error);
  return tests.length > 0
    ? { ...run, failure: { test: 'a hook of the file', why } }
    : { ...run, broken: why };
}

function firstLine(error: unknown): string {
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
  return String(message).split('\n')[0] ?? '';
}
