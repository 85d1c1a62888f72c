import type { PromiseMutant } from '../promise-mutant.ts';

/** What is remembered, and how often a person may ask. */
export const grantMutants: readonly PromiseMutant[] = [
  {
    name: 'somebody-elses-approval-is-remembered',
    promise: '0015.8: Nothing is remembered for someone who did not ask.',
    patches: [
      {
        file: 'lib/plugins/remembered/remember.ts',
        find: 'if (!isAsker(settings, principal, question))',
        replace: 'if (settings === undefined)',
      },
    ],
    suites: ['tests/contract/remember.test.ts'],
  },
  {
    name: 'never-remember-is-ignored',
    promise: '0015.8: Nothing is remembered for a tool that is not `remembered`.',
    patches: [
      {
        file: 'lib/plugins/remembered/find.ts',
        find: '  if (detailsOf(settings, toolName).remembered === false) return [];\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/flow/remember.test.ts', 'tests/contract/remember.test.ts'],
  },
  {
    name: 'several-approvals-are-remembered',
    promise: '0047.8: Such approvals are not remembered, and such calls not pre-approved.',
    patches: [
      {
        file: 'lib/rights/rights-to.ts',
        find: '!isGated(settings, question.plugins) && ',
        replace: '',
      },
    ],
    suites: ['tests/adr/0047-several-approvals.test.ts'],
  },
  {
    name: 'a-changed-tool-keeps-its-grants',
    promise: '0015.7: A tool whose definition has changed is asked about again.',
    patches: [
      {
        file: 'lib/run/question/apply-standing.ts',
        find: '  if (approval.definition !== (await definitionDigest(parts, toolName))) return false;\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/flow/remember.test.ts', 'tests/adr/0015-who-may-answer.test.ts'],
  },
  {
    name: 'a-grant-for-these-arguments-covers-all',
    promise: '0015.6: A remembered approval answers later questions within its scope.',
    patches: [
      {
        file: 'lib/plugins/remembered/coverage.ts',
        find: "match === 'exact-arguments' ? [input] : null",
        replace: 'match.length === 0 ? [input] : null',
      },
    ],
    suites: ['tests/contract/flow/remember.test.ts', 'tests/adr/0015-who-may-answer.test.ts'],
  },
  {
    name: 'a-grant-for-this-chat-covers-all-chats',
    promise: '0015.6: A remembered approval answers later questions within its scope.',
    patches: [
      {
        file: 'lib/plugins/remembered/coverage.ts',
        find: "scope === 'chat' ? chatId : null",
        replace: 'scope.length === 0 ? chatId : null',
      },
    ],
    suites: ['tests/adr/0015-who-may-answer.test.ts'],
  },
  {
    name: 'a-grant-works-after-the-right-is-lost',
    promise: '0015.8: At each use of a remembered approval the rules are called again.',
    patches: [
      {
        file: 'lib/run/question/apply-standing.ts',
        find: '  return mayAnswer(settings, person, question);\n',
        replace: '  return true;\n',
      },
    ],
    suites: ['tests/contract/flow/remember.test.ts', 'tests/adr/0015-who-may-answer.test.ts'],
  },
  {
    name: 'a-grant-replaces-a-recent-sign-in',
    promise: '0015.11: If a tool needs a recent sign-in, nothing runs without one.',
    patches: [
      {
        file: 'lib/run/question/apply-standing.ts',
        find: '  if (stepUpFor(settings, person, question.toolName)?.needed) return false;\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/step-up.test.ts', 'tests/contract/flow/remember.test.ts'],
  },
  {
    name: 'an-unsealed-grant-applies',
    promise: '0023: With an `auditKey`, a grant that is not in the sealed record applies to no call.',
    patches: [
      {
        file: 'lib/run/question/apply-standing.ts',
        find: 'return !auditor || auditor.provesApproval(approval);',
        replace: 'return !auditor || approval.id.length > 0;',
      },
    ],
    suites: ['tests/contract/record/forged-approvals.test.ts', 'tests/contract/flow/remember.test.ts'],
  },
  {
    name: 'the-rate-limit-is-one-request-late',
    promise: 'H-Configuration: A principal has the requests of one minute.',
    patches: [
      {
        file: 'lib/rights/rate-limit.ts',
        find: 'if (tokens >= 1) return;',
        replace: 'if (tokens > 0) return;',
      },
    ],
    suites: ['tests/contract/identity.test.ts'],
  },
  {
    name: 'one-rate-limit-for-everybody',
    promise: 'H-Configuration: The rate limit counts per principal.',
    patches: [
      {
        file: 'lib/rights/rate-limit.ts',
        find: 'take({ id }) {',
        replace: "take(_principal) {\n      const id = '';",
      },
    ],
    suites: ['tests/contract/identity.test.ts'],
  },
];
