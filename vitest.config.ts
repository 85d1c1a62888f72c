import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defaultClientConditions, defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { companyOf } from './scripts/test/company-of.mjs';
import { hangMs } from './tests/support/hang-ms.ts';

/** Entry points (`countersign/sse`) resolve to the TypeScript source; see `exports` in package.json. */
const source = 'countersign-source';

/**
 * Vitest passes them on to Node. `module` is for bundlers: what it leads to in `@opentelemetry/api` has imports that Node does
 * not resolve.
 */
const serverConditions = defaultServerConditions.filter((condition) => condition !== 'module');

const compileCache = join(import.meta.dirname, 'node_modules/.cache/countersign/compiled');

/** Whether to run the rows of long tables that the other runs leave out: see `tests/support/matrix.ts`. */
const isMatrix = process.env.COUNTERSIGN_TESTS === 'matrix';

const leaveNothingBehind = './tests/support/leave-nothing-behind.ts';

type Options = {
  timeout?: number;
  globalSetup?: string;
  /** Loaded before each file. */
  setup?: string;
  runner?: string;
  /** Whether the files of a worker share its process and its modules: most of these files take less time than loading both. */
  shared?: boolean;
};

/** One project a folder. A test that needs a DOM says so itself: `// @vitest-environment jsdom`. */
function project(
  name: string,
  { timeout = 10_000, globalSetup, setup, runner, shared = false }: Options = {},
) {
  const files = filesOfThisRun(name).filter(
    (file) => !withCompany.includes(name) || !companyOf(sourceOf(file)),
  );
  return {
    extends: true as const,
    test: {
      ...testsOf(name, files, timeout),
      globalSetup: globalSetup ? [globalSetup] : [],
      ...(runner !== undefined && { runner }),
      isolate: !shared,
      setupFiles: [...(shared ? [leaveNothingBehind] : []), ...(setup ? [setup] : [])],
    },
  };
}

/** The files of shared projects that need a process of another kind, or of their own. */
function projectOf(company: Company) {
  const files = withCompany.flatMap(filesOfThisRun).filter((file) => companyOf(sourceOf(file)) === company);
  return {
    extends: true as const,
    test: {
      ...testsOf(company, files, 60_000),
      isolate: company === 'alone',
      setupFiles: {
        alone: [],
        routes: [leaveNothingBehind],
        pages: ['./tests/support/dom.ts', leaveNothingBehind],
      }[company],
    },
  };
}

function testsOf(name: string, include: string[], timeout: number) {
  return {
    name,
    include,
    testTimeout: timeout,
    hookTimeout: Math.max(timeout, 20_000),
    provide: { isMatrix },
  };
}

function filesOfThisRun(folder: string): string[] {
  const files = globSync(`tests/${folder}/**/*.test.{ts,tsx}`, { cwd: import.meta.dirname });
  return isMatrix ? files.filter((file) => /OfThisRun\b/.test(sourceOf(file))) : files;
}

/** @see companyOf */
type Company = NonNullable<ReturnType<typeof companyOf>>;

/** The folders of which some files are in the projects that are named for their company. */
const withCompany = ['adr', 'e2e', 'contract', 'unit'];

function sourceOf(file: string): string {
  return readFileSync(join(import.meta.dirname, file), 'utf8');
}

/**
 * Files in the order of the projects below: what takes long begins first, so that no core waits for it at the end. Browser
 * and package tests wait for a build, so that other suites run first. A process, and with it a browser, is shared only
 * by files in succession that have the same project and environment.
 */
class ProjectOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const names = projects.map(({ test }) => test.name);
    const rank = (file: TestSpecification) => names.indexOf(file.project.name) + (needsDom(file) ? 0.5 : 0);
    const sorted = (await super.sort(files)).sort(
      (a, b) => rank(a) - rank(b) || Number(usesPostgres(b)) - Number(usesPostgres(a)),
    );
    const { early = [], others = [] } = Object.groupBy(sorted, (file) =>
      duringBuild.includes(file.project.name) && !needsBuild(file) ? 'early' : 'others',
    );
    return [...early, ...others];
  }
}

function needsDom({ moduleId }: TestSpecification): boolean {
  return readFileSync(moduleId, 'utf8').startsWith('// @vitest-environment jsdom');
}

/** The longest files of a project do: they begin first. */
function usesPostgres({ moduleId }: TestSpecification): boolean {
  return readFileSync(moduleId, 'utf8').includes('setUpPostgres(');
}

/** Whether it runs the built app, which it waits for. */
function needsBuild({ moduleId }: TestSpecification): boolean {
  return /\/(app-pair|prepared)\.ts'/.test(readFileSync(moduleId, 'utf8'));
}

/** What runs while the app and the package are built, which takes two minutes beside tests. */
const duringBuild = ['simulator', 'faults', 'upgrade', 'adr', 'providers', 'e2e'];

const projects = [
  project('simulator', { timeout: 2 * hangMs }),
  project('faults', { timeout: hangMs }),
  // The library as its users get it: packed, installed, built into their apps.
  project('package', {
    timeout: hangMs,
    globalSetup: './tests/package/global-setup.ts',
    setup: './tests/package/support/wait-for-tarball.ts',
    // Does not run again what has passed on the same files.
    runner: './tests/package/support/skipping-runner.ts',
  }),
  // Rules broken on purpose: each mutant runs suites of `e2e` in a process of its own.
  project('mutants', { timeout: 2 * hangMs }),
  project('browser', {
    timeout: hangMs / 3,
    globalSetup: './tests/browser/global-setup.ts',
    setup: './tests/browser/support/app-url.ts',
    shared: true,
  }),
  project('upgrade', { timeout: 20_000, globalSetup: './tests/upgrade/global-setup.ts' }),
  projectOf('alone'),
  projectOf('pages'),
  projectOf('routes'),
  project('adr', { timeout: 60_000, shared: true }),
  project('providers', { timeout: 20_000, shared: true }),
  project('e2e', { timeout: 20_000, shared: true }),
  project('contract', { timeout: 20_000, shared: true }),
  project('unit', { timeout: 20_000, shared: true }),
];

export default defineConfig({
  resolve: { conditions: [source, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [source, ...serverConditions] } },
  test: {
    environment: 'node',
    globalSetup: './tests/support/postgres/global-setup.ts',
    // Halves the time to start a program of ours: each process reads what the ones before compiled.
    env: { NODE_COMPILE_CACHE: compileCache },
    allowOnly: false,
    // Files run side by side: what is awaited may come late. A test that waits in vain still ends by its own limit.
    expect: { poll: { timeout: 8_000 } },
    // Two more than there are cores: many files wait for processes of their own.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: ProjectOrder },
    projects: projects.filter(({ test }) => test.include.length > 0),
  },
});
