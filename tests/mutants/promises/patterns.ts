import type { PromiseMutant } from '../promise-mutant.ts';

/** Patterns of schemas that may come from other servers. */
export const patternsMutants: readonly PromiseMutant[] = [
  {
    name: 'a-page-evaluates-any-pattern',
    promise: '0025.8',
    file: 'lib/plugins/forms/client/pattern.ts',
    find: '!isKnownPattern(pattern) || ',
    replace: '',
    suites: ['tests/contract/foreign-patterns.test.ts', 'tests/unit/react-approval-card-form.test.ts'],
  },
  {
    name: 'arguments-with-an-unknown-pattern-run',
    promise: '0022.9',
    file: 'lib/run/call/input/schemas.ts',
    find: "{ unknown: 'refused' }",
    replace: "{ unknown: 'passes' }",
    suites: ['tests/adr/0022-when-in-doubt-nothing-runs.test.ts'],
  },
  {
    name: 'patterns-take-any-number-of-steps',
    promise: '0053.9',
    file: 'lib/run/patterns/linear-pattern.ts',
    find: 'return left >= 0;',
    replace: 'return true;',
    suites: ['tests/unit/linear-patterns.test.ts'],
  },
  {
    name: 'a-backreference-by-name-is-a-letter',
    promise: '0053.9',
    file: 'lib/run/patterns/linear-pattern.ts',
    find: "token === '\\\\k' || isHalf",
    replace: 'isHalf',
    suites: ['tests/unit/linear-patterns.test.ts'],
  },
  {
    name: 'a-form-does-not-say-what-is-unchecked',
    promise: '0053.9',
    file: 'lib/flow/read-questions.ts',
    find: 'inputSchema: shownForm(form)',
    replace: 'inputSchema: shownForm(form) && form',
    suites: ['tests/adr/0053-a-value-by-link.test.ts'],
  },
];
