import { defaultClientConditions, defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

/** Doors (`countersign/sse`) resolve to the TypeScript source; see `exports` in package.json. */
const source = 'countersign-source';

/** One project a folder. A test that needs a DOM says so itself: `// @vitest-environment jsdom`. */
function project(
  name: string,
  options: { timeout?: number; after?: number; globalSetup?: string; oneAtATime?: boolean } = {},
) {
  return {
    extends: true as const,
    test: {
      name,
      include: [`tests/${name}/**/*.test.{ts,tsx}`],
      testTimeout: options.timeout ?? 10_000,
      hookTimeout: options.timeout ?? 20_000,
      globalSetup: options.globalSetup ? [options.globalSetup] : [],
      fileParallelism: !options.oneAtATime,
      sequence: { groupOrder: options.after ?? 0 },
    },
  };
}

export default defineConfig({
  resolve: { conditions: [source, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [source, ...defaultServerConditions] } },
  test: {
    environment: 'node',
    allowOnly: false,
    projects: [
      project('unit'),
      project('contract', { timeout: 20_000 }),
      project('e2e', { timeout: 20_000 }),
      project('adr', { timeout: 20_000 }),
      project('upgrade', { timeout: 20_000 }),
      // What measures time or fills the machine waits until the others are done.
      project('faults', { timeout: 60_000, after: 1 }),
      project('simulator', { timeout: 1_800_000, after: 1 }),
      project('browser', {
        timeout: 60_000,
        after: 2,
        globalSetup: './tests/browser/global-setup.ts',
        oneAtATime: true,
      }),
      // The library as its users get it: packed, installed, built into their apps.
      project('package', {
        timeout: 300_000,
        after: 3,
        globalSetup: './tests/package/global-setup.ts',
        oneAtATime: true,
      }),
      // Rules broken on purpose: each mutant runs suites of `e2e` in a process of its own.
      project('mutants', { timeout: 300_000, after: 4, oneAtATime: true }),
    ],
  },
});
