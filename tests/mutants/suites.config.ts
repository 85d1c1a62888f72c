import { defineConfig } from 'vitest/config';
import shared from '../../vitest.config.ts';
import { patchPlugin } from '../support/patches/vite-patch.ts';
import { timingMutants } from './response-timing-mutants.ts';
import { suiteFiles } from './run-suites.ts';

/** The named suites, with the mutant that the environment names. Without one they run as they are. */
const mutant = timingMutants.find(({ name }) => name === process.env.MUTANT);

export default defineConfig({
  ...shared,
  plugins: mutant ? [patchPlugin(mutant)] : [],
  test: {
    environment: 'node',
    include: Object.values(suiteFiles),
    testTimeout: 20_000,
    hookTimeout: 20_000,
    bail: 1,
    fileParallelism: false,
  },
});
