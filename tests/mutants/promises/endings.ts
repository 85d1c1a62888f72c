import type { PromiseMutant } from '../promise-mutant.ts';

/** Takeovers, outcomes, pre-approvals, results, data parts and subagents. */
export const endingsMutants: readonly PromiseMutant[] = [
  {
    name: 'a-takeover-ignores-a-stop',
    promise: '0013.7',
    patches: [
      {
        file: 'lib/run/lease/take-over.ts',
        find: 'if (await store.runs.stopRequested(chatId, head.runId)) {',
        replace: "if (head.status !== 'active') {",
      },
    ],
    suites: [
      'tests/contract/flow/take-over.test.ts',
      'tests/contract/flow/stop-elsewhere.test.ts',
      'tests/adr/0013-leases-and-takeover.test.ts',
    ],
  },
  {
    name: 'a-heartbeat-overlooks-a-stop',
    promise: '0013.7',
    patches: [
      {
        file: 'lib/run/lease/begin-heartbeat.ts',
        find: '    else if (stopRequested) stops.stop();\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/flow/stop-elsewhere.test.ts', 'tests/adr/0013-leases-and-takeover.test.ts'],
  },
  {
    name: 'a-lost-lease-does-not-end-the-run',
    promise: '0013.1',
    patches: [
      {
        file: 'lib/run/lease/begin-heartbeat.ts',
        find: '    if (!isOwner) stops.stop(new Conflict(`Run ${runId} has another owner.`));\n    else if',
        replace: '    if',
      },
    ],
    suites: [
      'tests/contract/flow/stop-elsewhere.test.ts',
      'tests/contract/flow/take-over.test.ts',
      'tests/contract/flow/start-check.test.ts',
      'tests/adr/0013-leases-and-takeover.test.ts',
    ],
  },
  {
    name: 'a-known-outcome-can-be-replaced',
    promise: '0018.5',
    patches: [
      {
        file: 'lib/run/outcomes/record-outcome.ts',
        find: "    if (!call.resolved && !isUnknown(call.end)) return { type: 'known', call };\n",
        replace: '',
      },
    ],
    suites: ['tests/contract/flow/resolve-outcome.test.ts', 'tests/contract/outcome-route.test.ts'],
  },
  {
    name: 'a-person-overrules-a-late-report',
    promise: '0018.5',
    patches: [
      {
        file: 'lib/run/outcomes/record-outcome.ts',
        find: "if (call.resolved && (report.source !== 'late' || call.resolved.source === 'late')) {",
        replace: 'if (call.resolved && report.source === call.resolved.source) {',
      },
    ],
    suites: [
      'tests/contract/flow/resolve-outcome.test.ts',
      'tests/contract/flow/late-outcomes.test.ts',
      'tests/adr/0018-known-outcomes.test.ts',
    ],
  },
  {
    name: 'a-changed-tool-runs-again-after-a-crash',
    promise: '0020.12',
    patches: [
      {
        file: 'lib/run/outcomes/end-interrupted.ts',
        find: '  const isChanged = await isOutdated(run, call);\n',
        replace: '  const isChanged = false;\n',
      },
    ],
    suites: [
      'tests/contract/flow/take-over.test.ts',
      'tests/contract/flow/lookup.test.ts',
      'tests/contract/flow/outdated-questions.test.ts',
    ],
  },
  {
    name: 'what-was-found-not-run-is-unknown',
    promise: '0019.7',
    patches: [
      {
        file: 'lib/run/outcomes/end-interrupted.ts',
        find: "  if (found?.outcome === 'not-run') {\n    return failed(",
        replace: "  if (found?.outcome === 'failed') {\n    return failed(",
      },
    ],
    suites: ['tests/contract/flow/lookup.test.ts', 'tests/adr/0019-a-call-starts-once.test.ts'],
  },
  {
    name: 'an-approval-in-advance-does-not-lapse',
    promise: '0041.7',
    patches: [
      {
        file: 'lib/plugins/pre-approvals/find.ts',
        find: '  if (approvalValidForMs !== undefined && now - at > approvalValidForMs) return [];\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/flow/pre-approvals.test.ts', 'tests/adr/0041-upcoming-calls.test.ts'],
  },
  {
    name: 'a-sign-in-is-skipped-in-advance',
    promise: '0041.6',
    patches: [
      {
        file: 'lib/plugins/pre-approvals/only-when-due.ts',
        find: "  if (stepUp) return 'step-up';\n",
        replace: '',
      },
    ],
    suites: ['tests/contract/flow/pre-approvals.test.ts', 'tests/adr/0041-upcoming-calls.test.ts'],
  },
  {
    name: 'a-higher-risk-keeps-an-approval-in-advance',
    promise: '0041.7',
    patches: [
      {
        file: 'lib/plugins/pre-approvals/shown.ts',
        find: 'ranks[question.risk] <= ranks[risk]',
        replace: 'ranks[question.risk] >= ranks[risk]',
      },
    ],
    suites: ['tests/contract/flow/pre-approvals.test.ts', 'tests/adr/0041-upcoming-calls.test.ts'],
  },
  {
    name: 'a-closing-instance-keeps-its-lease',
    promise: '0013.8',
    patches: [
      {
        file: 'lib/run/stops/end-early.ts',
        find: '    await settings.store.runs.claimLease(chatId, { owner: closingOwner, until: 0 }, clock.now());\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/flow/closing.test.ts', 'tests/adr/0013-leases-and-takeover.test.ts'],
  },
  {
    name: 'a-call-begins-after-a-stop',
    promise: '0019.3',
    patches: [
      {
        file: 'lib/run/stops/run-stops.ts',
        find: '      if (stop.signal.aborted) call.abort(stop.signal.reason);\n',
        replace: '',
      },
    ],
    suites: [
      'tests/contract/flow/start-check.test.ts',
      'tests/contract/flow/stop-elsewhere.test.ts',
      'tests/adr/0019-a-call-starts-once.test.ts',
    ],
  },
  {
    name: 'a-turn-has-25-steps',
    promise: '0008.6',
    patches: [
      {
        file: 'lib/run/stops/stop-condition.ts',
        find: 'const defaultStepLimit = 20;',
        replace: 'const defaultStepLimit = 25;',
      },
    ],
    suites: [
      'tests/adr/0008-steps-read-back-from-the-log.test.ts',
      'tests/contract/flow/call-settings.test.ts',
    ],
  },
  {
    name: 'a-named-tool-is-forced-in-every-step',
    promise: 'C16: a tool choice is for the first call',
    patches: [
      {
        file: 'lib/run/step/turn-limits.ts',
        find: "const isForced = choice === 'required' || typeof choice === 'object';",
        replace: "const isForced = choice === 'required';",
      },
    ],
    suites: ['tests/contract/dialects/responses-fields.test.ts'],
  },
  {
    name: 'a-data-part-has-a-name-of-the-library',
    promise: '0031.8',
    patches: [
      {
        file: 'lib/run/data/parse-data-part.ts',
        find: '  if (own.has(type)) throw refuse(`\\`${type}\\` is a part of this library. Choose another name.`);\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/flow/data-parts.test.ts', 'tests/adr/0031-data-parts-are-events.test.ts'],
  },
  {
    name: 'an-id-of-a-data-part-shows-a-secret',
    promise: '0031.6',
    patches: [
      {
        file: 'lib/run/data/write-part.ts',
        find: 'if (part.id !== undefined && namesSecret(',
        replace: "if (part.id === '' && namesSecret(",
      },
    ],
    suites: ['tests/contract/flow/data-parts.test.ts', 'tests/adr/0031-data-parts-are-events.test.ts'],
  },
  {
    name: 'a-transient-part-needs-no-lease',
    promise: '0031.5',
    patches: [
      {
        file: 'lib/run/data/write-part.ts',
        find: '    if (!lease.isSure()) throw ended(chatId, toolCallId);\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/flow/data-parts.test.ts', 'tests/adr/0031-data-parts-are-events.test.ts'],
  },
  {
    name: 'the-limit-of-a-result-counts-characters',
    promise: '0042.1',
    patches: [
      {
        file: 'lib/run/call/result/completed.ts',
        find: 'const bytes = runtime.utf8Length(text);',
        replace: 'const bytes = text.length;',
      },
    ],
    suites: ['tests/adr/0042-large-results.test.ts', 'tests/contract/flow/linear-results.test.ts'],
  },
  {
    name: 'a-large-result-is-cut-within-a-character',
    promise: '0042.4',
    patches: [
      {
        file: 'lib/run/call/result/text-parts.ts',
        find: 'return code >= 0xd800 && code <= 0xdbff ? to - 1 : to;',
        replace: 'return to;',
      },
    ],
    suites: ['tests/unit/text-parts.test.ts', 'tests/adr/0042-large-results.test.ts'],
  },
  {
    name: 'a-secret-output-is-kept-as-text',
    promise: '0042.8',
    patches: [
      {
        file: 'lib/run/call/result/keep-result.ts',
        find: 'const isSecret = (secrets?.output?.length ?? 0) > 0;',
        replace: 'const isSecret = (secrets?.input?.length ?? 0) > 0;',
      },
    ],
    suites: ['tests/adr/0042-large-results.test.ts'],
  },
  {
    name: 'a-subagent-reports-unknown-outcomes-as-failed',
    promise: '0035.5',
    patches: [
      {
        file: 'lib/run/agent/close-agent.ts',
        find: "return end.outcome === 'unknown' ? 'outcome unknown' : 'failed';",
        replace: "return 'failed';",
      },
    ],
    suites: [
      'tests/contract/flow/subagent-turns.test.ts',
      'tests/contract/flow/subagents.test.ts',
      'tests/adr/0035-agents-within-agents.test.ts',
    ],
  },
  {
    name: 'the-model-reads-secrets-of-a-subagent',
    promise: '0035.5',
    patches: [
      { file: 'lib/run/agent/close-agent.ts', find: "  if (requested.secrets) return '';\n", replace: '' },
    ],
    suites: [
      'tests/contract/flow/subagent-turns.test.ts',
      'tests/contract/flow/subagents.test.ts',
      'tests/contract/flow/subagent-rights.test.ts',
    ],
  },
  {
    name: 'a-cut-off-subagent-has-answered',
    promise: '0035.2',
    patches: [
      {
        file: 'lib/run/agent/continue-agents.ts',
        find: '  if (!isExecutable(finishReason)) {\n    return failing(',
        replace: '  if (last === undefined) {\n    return failing(',
      },
    ],
    suites: ['tests/contract/flow/subagent-turns.test.ts'],
  },
];
