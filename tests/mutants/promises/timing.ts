import type { PromiseMutant } from '../promise-mutant.ts';
import { timingMutants } from '../response-timing-mutants.ts';
import { suiteFiles } from '../run-suites.ts';

/** The contract suites of response timing and of automatic sending take seconds, the `useChat` suites a minute. */
const ofTheServer = [
  'timing-rules',
  'timing-patterns',
  'timing-client-tools',
  'timing-shapes',
  'timing-endings',
];
const quickSuites = {
  predicate: [
    'tests/unit/send-automatically-when.test.ts',
    'tests/unit/send-automatically-properties.test.ts',
  ],
  server: ofTheServer.map((suite) => `tests/contract/flow/${suite}.test.ts`),
};

/** The mutants of response timing. The project `mutants` plays them against the `useChat` suites alone. */
export const timingPromiseMutants: readonly PromiseMutant[] = timingMutants.map(
  ({ rule, suite, ...mutant }) => ({
    ...mutant,
    promise: rule,
    suites: [...quickSuites[rule.startsWith('P') ? 'predicate' : 'server'], suiteFiles[suite]],
  }),
);
