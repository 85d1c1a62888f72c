import type { PromiseMutant } from '../promise-mutant.ts';

/** The log, the turn that is folded from it, leases, pauses and escalations. */
export const logMutants: readonly PromiseMutant[] = [
  {
    name: 'an-outcome-is-given-up-after-an-unclassified-error',
    promise: '0018.3',
    patches: [
      {
        file: 'lib/log/journal/batch-writer.ts',
        find: 'hasOutcome ? !isRefusal(error) : isTransient(error)',
        replace: 'hasOutcome && isRefusal(error) ? false : isTransient(error)',
      },
    ],
    suites: ['tests/adr/0018-known-outcomes.test.ts', 'tests/contract/flow/late-outcomes.test.ts'],
  },
  {
    name: 'a-late-outcome-is-given-up-after-an-unclassified-error',
    promise: '0018.4',
    patches: [
      {
        file: 'lib/run/outcomes/late-outcomes.ts',
        find: 'if (isRefusal(error)) {',
        replace: "if (isRefusal(error) || !(error instanceof Error && 'transient' in error)) {",
      },
    ],
    suites: ['tests/contract/flow/late-outcomes.test.ts'],
  },
  {
    name: 'a-cut-keeps-the-open-turn',
    promise: '0021.1',
    patches: [
      {
        file: 'lib/log/journal/log-end.ts',
        find: 'turn = nextTurn(turn, plain);',
        replace:
          "if (plain.type === 'history-cut') applyToTurn(turn, plain);\n      else turn = nextTurn(turn, plain);",
      },
    ],
    suites: [
      'tests/contract/flow/kept-calls.test.ts',
      'tests/contract/flow/history.test.ts',
      'tests/adr/0021-what-ran-stays-in-the-chat.test.ts',
    ],
  },
  {
    name: 'a-failed-end-is-not-reported-late',
    promise: '0018.4',
    patches: [
      { file: 'lib/log/turn/call-end.ts', find: "    event.type === 'tool-failed' ||\n", replace: '' },
    ],
    suites: ['tests/contract/flow/late-outcomes.test.ts', 'tests/adr/0018-known-outcomes.test.ts'],
  },
  {
    name: 'a-question-survives-a-stop',
    promise: '0013.9',
    patches: [
      {
        file: 'lib/log/journal/batch-writer.ts',
        find: '=> kernelEvents.get(event.type)?.isGuarded)',
        replace: "=> event.type === 'tool-started')",
      },
    ],
    suites: [
      'tests/contract/flow/stop-elsewhere.test.ts',
      'tests/adr/0009-log-concurrency.test.ts',
      'tests/adr/0013-leases-and-takeover.test.ts',
    ],
  },
  {
    name: 'a-lease-counts-to-its-last-moment',
    promise: '0019.2',
    patches: [
      {
        file: 'lib/log/run-lease.ts',
        find: '!hasLapsed && remainingMs() > marginOf(leaseMs)',
        replace: '!hasLapsed && remainingMs() > 0',
      },
    ],
    suites: ['tests/contract/flow/start-check.test.ts', 'tests/adr/0019-a-call-starts-once.test.ts'],
  },
  {
    name: 'a-lease-is-measured-by-the-wall-clock',
    promise: '0019.1',
    patches: [
      {
        file: 'lib/log/run-lease.ts',
        find: 'Math.max(wall - since.wall, steady - since.steady)',
        replace: '(wall - since.wall)',
      },
    ],
    suites: ['tests/unit/run-lease.test.ts'],
  },
  {
    name: 'a-lapsed-lease-is-renewed-unseen',
    promise: '0019.2',
    patches: [
      {
        file: 'lib/log/run-lease.ts',
        find: '      if (since && remainingMs() <= 0) hasLapsed = true;\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/flow/start-check.test.ts', 'tests/adr/0019-a-call-starts-once.test.ts'],
  },
  {
    name: 'event-times-go-back',
    promise: '0013.15',
    patches: [
      {
        file: 'lib/log/journal/log-end.ts',
        find: 'latest = eventTime(latest, now);',
        replace: 'latest = now;',
      },
    ],
    suites: [
      'tests/contract/two-clocks.test.ts',
      'tests/contract/flow/unknown-time.test.ts',
      'tests/adr/0013-leases-and-takeover.test.ts',
    ],
  },
  {
    name: 'a-pause-of-everything-pauses-nothing',
    promise: '0023.8',
    patches: [
      {
        file: 'lib/log/flow-log/pauses.ts',
        find: 'current.find(({ tool }) => tool === undefined || tool === toolName)',
        replace: 'current.find(({ tool }) => tool === toolName)',
      },
    ],
    suites: ['tests/contract/record/pause.test.ts', 'tests/adr/0023-the-record-outlives-the-chat.test.ts'],
  },
  {
    name: 'an-erased-chat-stays-in-memory',
    promise: 'Stays erased even if the id is reused',
    patches: [
      {
        file: 'lib/log/follow/recent-events.ts',
        find: "    if (reason === 'erase') chats.delete(chatId);\n",
        replace: '',
      },
    ],
    suites: ['tests/unit/flow-recent-events.test.ts', 'tests/contract/flow/erased-id.test.ts'],
  },
  {
    name: 'a-checkpoint-is-written-twice',
    promise: '0023.5',
    patches: [
      {
        file: 'lib/log/flow-log/checkpoints.ts',
        find: 'if (after === (head?.seq ?? 0))',
        replace: 'if (after >= (head?.seq ?? 0))',
      },
    ],
    suites: [
      'tests/contract/record/kept-records.test.ts',
      'tests/adr/0023-the-record-outlives-the-chat.test.ts',
    ],
  },
  {
    name: 'a-denial-of-ones-own-ends-the-approvals',
    promise: '0041.8',
    patches: [
      {
        file: 'lib/plugins/pre-approvals/standing.ts',
        find: "return end.type !== 'tool-denied' || answered?.by.id !== by.id;",
        replace: 'return true;',
      },
    ],
    suites: ['tests/contract/flow/pre-approvals.test.ts', 'tests/adr/0041-upcoming-calls.test.ts'],
  },
  {
    name: 'a-failure-keeps-approvals-in-advance',
    promise: '0041.8',
    patches: [
      {
        file: 'lib/plugins/pre-approvals/standing.ts',
        find: "return end.type !== 'tool-denied' || answered?.by.id !== by.id;",
        replace: "return end.type === 'tool-denied' && answered?.by.id !== by.id;",
      },
    ],
    suites: ['tests/contract/flow/pre-approvals.test.ts', 'tests/adr/0041-upcoming-calls.test.ts'],
  },
  {
    name: 'a-late-sweep-reminds-of-an-overdue-step',
    promise: '0048.5',
    patches: [
      {
        file: 'lib/plugins/escalation/due-event.ts',
        find: 'const isStep = next !== undefined && Date.parse(next.at) <= now;',
        replace: 'const isStep = next !== undefined && Date.parse(next.at) <= Date.parse(nextAt);',
      },
    ],
    suites: ['tests/contract/flow/escalation.test.ts', 'tests/adr/0048-escalation.test.ts'],
  },
  {
    name: 'a-question-may-be-asked-again-for-ever',
    promise: '0048.8',
    patches: [
      {
        file: 'lib/log/turn/times-unanswered.ts',
        find: "return timesUnanswered(turn, before) + (before.withdrawn?.reason === 'asked-again' ? 1 : 0);",
        replace: "return before.withdrawn?.reason === 'asked-again' ? 1 : 0;",
      },
    ],
    suites: ['tests/contract/flow/escalation.test.ts', 'tests/adr/0048-escalation.test.ts'],
  },
  {
    name: 'an-expired-delegation-counts',
    promise: '0049.5',
    patches: [
      {
        file: 'lib/plugins/delegation/delegations.ts',
        find: 'return delegations.filter(({ until }) => until > now);',
        replace: 'return [...delegations];',
      },
    ],
    suites: ['tests/contract/flow/delegations.test.ts', 'tests/adr/0049-people-and-delegation.test.ts'],
  },
];
