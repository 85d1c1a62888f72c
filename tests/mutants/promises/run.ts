import type { PromiseMutant } from '../promise-mutant.ts';

/** What a run does next: questions, calls, retries and remembered approvals. */
export const runMutants: readonly PromiseMutant[] = [
  {
    name: 'an-approval-that-was-remembered-is-asked-again',
    promise: '0015.6',
    patches: [
      {
        file: 'lib/run/drive.ts',
        find: 'if (isGranted) break;',
        replace: 'if (isGranted && repeatOf) break;',
      },
    ],
    suites: ['tests/contract/remember.test.ts', 'tests/contract/flow/remember.test.ts'],
  },
  {
    name: 'reasoning-of-another-provider-is-sent',
    promise: '0055.1',
    patches: [
      {
        file: 'lib/run/prompt/part-selection.ts',
        find: 'return isOwn(part) || (limits.takesUnsignedReasoning && !isOfAnother(part));',
        replace: 'return true;',
      },
    ],
    suites: [
      'tests/unit/fit-prompt.test.ts',
      'tests/adr/0055-a-prompt-fits-its-provider.test.ts',
      'tests/providers/scenes.test.ts',
    ],
  },
  {
    name: 'reasoning-that-has-lost-its-text-stays',
    promise: '0055.7',
    patches: [
      {
        file: 'lib/run/prompt/blank-texts.ts',
        find: 'return end === content.length ? content : content.slice(0, end);',
        replace: 'return content;',
      },
    ],
    suites: ['tests/unit/fit-prompt.test.ts', 'tests/providers/scenes.test.ts'],
  },
  {
    name: 'a-result-without-a-text-gets-none',
    promise: '0055.8',
    patches: [
      {
        file: 'lib/run/prompt/one-text-per-result.ts',
        find: 'if (texts.length === 1) return part;',
        replace: 'if (texts.length <= 1) return part;',
      },
    ],
    suites: ['tests/unit/fit-prompt.test.ts', 'tests/providers/scenes.test.ts'],
  },
  {
    name: 'a-note-is-a-text-of-its-own',
    promise: '0002.11',
    patches: [
      {
        file: 'lib/views/approved-output.ts',
        find: "return first?.type === 'text'",
        replace: "return first?.type === 'file'",
      },
    ],
    suites: ['tests/contract/flow/approval-notes.test.ts', 'tests/providers/scenes.test.ts'],
  },
  {
    name: 'an-invented-tool-name-is-sent-as-it-is',
    promise: '0055.4',
    patches: [
      {
        file: 'lib/run/prompt/prompt-names.ts',
        find: 'if (anyName.test(name)) return name;',
        replace: 'return name;',
      },
    ],
    suites: ['tests/unit/fit-prompt.test.ts', 'tests/adr/0055-a-prompt-fits-its-provider.test.ts'],
  },
  {
    name: 'the-model-of-a-prepared-step-does-not-count',
    promise: '0055.6',
    patches: [
      {
        file: 'lib/run/step/run-step.ts',
        find: 'messages: await prompts.fit(model, messages, run)',
        replace: 'messages: await prompts.fit(settings.model, messages, run)',
      },
    ],
    suites: ['tests/adr/0055-a-prompt-fits-its-provider.test.ts'],
  },
  {
    name: 'an-id-that-no-client-can-return-is-kept',
    promise:
      'docs/protocol/README.md: a call has the id that its model gave it, unless it is not 1 to 256 characters',
    patches: [
      {
        file: 'lib/run/step/call-ids.ts',
        find: 'return !isCallId(id) || isUsed(id);',
        replace: 'return isUsed(id);',
      },
    ],
    suites: ['tests/contract/flow/call-ids.test.ts'],
  },
  {
    name: 'an-id-that-the-flow-makes-has-ten-letters',
    promise:
      'docs/protocol/README.md: calls that the server makes itself have ids of nine letters and digits',
    patches: [{ file: 'lib/run/made-call-id.ts', find: 'const length = 9;', replace: 'const length = 10;' }],
    suites: ['tests/contract/flow/call-ids.test.ts'],
  },
  {
    name: 'calls-of-one-request-run-together',
    promise: 'C16: parallel_tool_calls: false runs one call at a time',
    patches: [
      {
        file: 'lib/run/next-action.ts',
        find: 'calls: turn.options?.oneAtATime ? ready.slice(0, 1) : ready',
        replace: 'calls: ready',
      },
    ],
    suites: [
      'tests/contract/flow/stop-elsewhere.test.ts',
      'tests/contract/dialects/responses-wire.test.ts',
      'tests/adr/0014-responses-gateway.test.ts',
    ],
  },
  {
    name: 'the-output-limit-allows-one-step-more',
    promise: 'C16: max_output_tokens counts the whole response',
    patches: [
      {
        file: 'lib/run/next-action.ts',
        find: 'if (usedOutput(own) >= outputLimit)',
        replace: 'if (usedOutput(own) > outputLimit)',
      },
    ],
    suites: [
      'tests/contract/dialects/responses-wire.test.ts',
      'tests/contract/dialects/responses-fields.test.ts',
      'tests/adr/0014-responses-gateway.test.ts',
    ],
  },
  {
    name: 'a-paused-tool-is-handed-to-the-page',
    promise: '0023.8',
    patches: [
      {
        file: 'lib/run/drive.ts',
        find: '        if (run.pauses.mayPause() && (await endPaused(run, [action.call]))) break;\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/record/pause.test.ts'],
  },
  {
    name: 'a-question-has-no-effect',
    promise: '0040.1',
    patches: [
      {
        file: 'lib/run/drive.ts',
        find: '{ ...due, repeatOf, preview },',
        replace: '{ ...due, repeatOf },',
      },
    ],
    suites: ['tests/adr/0040-evidence-for-a-decision.test.ts'],
  },
  {
    name: 'a-call-runs-before-its-start-is-durable',
    promise: '0002.4',
    patches: [
      {
        file: 'lib/run/drive.ts',
        find: '  await journal.commit(runId, ...starts);\n',
        replace: '  void journal.commit(runId, ...starts);\n',
      },
    ],
    suites: [
      'tests/contract/flow/execution.test.ts',
      'tests/adr/0002-tool-approval.test.ts',
      'tests/adr/0019-a-call-starts-once.test.ts',
    ],
  },
  {
    name: 'a-call-that-never-ran-stays-after-a-cut',
    promise: '0021.3',
    patches: [
      {
        file: 'lib/run/kept-calls.ts',
        find: "  if (resolved?.outcome === 'not-run' && resolved.source === 'late') return false;\n",
        replace: '',
      },
    ],
    suites: ['tests/unit/planned-cut.test.ts', 'tests/contract/flow/late-after-regenerate.test.ts'],
  },
  {
    name: 'a-stopped-turn-drops-its-text',
    promise: 'T16',
    patches: [{ file: 'lib/run/close-turn.ts', find: '    ...keepPartialText(turn),\n', replace: '' }],
    suites: ['tests/contract/flow/timing-endings.test.ts', 'tests/adr/0004-response-timing.test.ts'],
  },
  {
    name: 'a-call-that-runs-at-the-end-did-not-run',
    promise: '0002.5',
    patches: [
      {
        file: 'lib/run/close-turn.ts',
        find: "  if (started) return [unknownOutcome(call, 'the run ended while it ran.')];\n",
        replace: '',
      },
    ],
    suites: ['tests/unit/close-turn.test.ts'],
  },
  {
    name: 'a-provider-call-without-a-result-stays-open',
    promise: 'The call ends with its turn',
    patches: [
      {
        file: 'lib/run/close-turn.ts',
        find: "return executor === 'provider' ? [unknownOutcome(call, 'the provider reported no result.')] : [];",
        replace: 'return [];',
      },
    ],
    suites: ['tests/unit/close-turn.test.ts'],
  },
  {
    name: 'the-time-limit-counts-while-a-call-asks',
    promise: '0037.9',
    patches: [
      {
        file: 'lib/run/call/run-tool.ts',
        find: '    limit?.freeze();\n    return execution.ask(question, asking.signal).finally(() => limit?.resume());',
        replace: '    return execution.ask(question, asking.signal);',
      },
    ],
    suites: [
      'tests/contract/flow/asking-calls.test.ts',
      'tests/contract/flow/time-limit.test.ts',
      'tests/adr/0037-a-running-call-asks.test.ts',
    ],
  },
  {
    name: 'a-denial-counts-as-an-approver',
    promise: 'approvers: the people who approved the call',
    patches: [
      {
        file: 'lib/run/call/run-tool.ts',
        find: 'call.recorded?.filter(({ approved }) => approved) ?? []',
        replace: 'call.recorded ?? []',
      },
    ],
    suites: ['tests/contract/flow/votes.test.ts', 'tests/adr/0047-several-approvals.test.ts'],
  },
  {
    name: 'an-idempotent-tool-is-retried-for-ever',
    promise: '0019.6',
    patches: [
      {
        file: 'lib/run/call/execute-call.ts',
        find: '!fault.transient || isRetry || !mayRetry',
        replace: '!fault.transient || !mayRetry',
      },
    ],
    suites: ['tests/contract/flow/retry.test.ts'],
  },
  {
    name: 'a-retry-comes-before-the-service-allows-it',
    promise: 'A retry waits for `retry-after`',
    patches: [
      {
        file: 'lib/run/call/execute-call.ts',
        find: 'const delayMs = Math.max(retryDelayMs ?? 0, fault.retryAfterMs ?? 0);',
        replace: 'const delayMs = retryDelayMs ?? 0;',
      },
    ],
    suites: ['tests/contract/flow/retry.test.ts'],
  },
  {
    name: 'a-late-timeout-is-a-known-failure',
    promise: '0018.4',
    patches: [
      {
        file: 'lib/run/call/execute-call.ts',
        find: 'if (fault.ambiguous || isAbort) return;',
        replace: 'if (isAbort) return;',
      },
    ],
    suites: [
      'tests/contract/flow/late-outcomes.test.ts',
      'tests/contract/flow/time-limit.test.ts',
      'tests/adr/0019-a-call-starts-once.test.ts',
    ],
  },
  {
    name: 'an-internal-error-is-transient',
    promise: '0019.6',
    patches: [
      {
        file: 'lib/run/call/transient.ts',
        find: 'new Set([429, 502, 503, 504])',
        replace: 'new Set([429, 500, 502, 503, 504])',
      },
    ],
    suites: ['tests/contract/flow/retry.test.ts'],
  },
  {
    name: 'a-broken-pipe-says-that-nothing-ran',
    promise: '0019.6',
    patches: [{ file: 'lib/run/call/transient.ts', find: "  'EPIPE',\n", replace: '' }],
    suites: ['tests/contract/flow/retry.test.ts', 'tests/adr/0019-a-call-starts-once.test.ts'],
  },
  {
    name: 'a-schema-that-changes-its-mind-is-asked-for-ever',
    promise: '0020.3',
    patches: [
      {
        file: 'lib/run/call/replace-call.ts',
        find: 'return before ? 1 + replacementsOf(turn, before) : 0;',
        replace: 'return before ? 1 : 0;',
      },
    ],
    suites: ['tests/contract/flow/shown-arguments.test.ts', 'tests/adr/0020-what-was-shown-runs.test.ts'],
  },
  {
    name: 'an-imported-question-can-run-unasked',
    promise: '0036.3',
    patches: [
      {
        file: 'lib/run/call/replace-call.ts',
        find: '      isImported(journal.turn, call) ||\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/flow/import-asked.test.ts', 'tests/adr/0036-imported-chats.test.ts'],
  },
  {
    name: 'a-call-asked-again-runs-by-its-gate',
    promise: '0048.9',
    patches: [{ file: 'lib/run/call/replace-call.ts', find: "      why === 'unanswered' ||\n", replace: '' }],
    suites: ['tests/contract/flow/escalation.test.ts', 'tests/adr/0048-escalation.test.ts'],
  },
  {
    name: 'a-remembered-approval-needs-no-sign-in',
    promise: '0015.11',
    patches: [
      {
        file: 'lib/run/question/apply-standing.ts',
        find: '  if (stepUpFor(settings, person, question.toolName)?.needed) return false;\n',
        replace: '',
      },
    ],
    suites: [
      'tests/contract/remember.test.ts',
      'tests/contract/step-up.test.ts',
      'tests/adr/0015-who-may-answer.test.ts',
    ],
  },
  {
    name: 'an-imported-question-takes-a-remembered-approval',
    promise: '0036.3',
    patches: [
      {
        file: 'lib/run/question/apply-standing.ts',
        find: 'plugins.length === 0 || isImported(turn, call) ||',
        replace: 'plugins.length === 0 ||',
      },
    ],
    suites: ['tests/contract/flow/import-asked.test.ts', 'tests/contract/flow/remember.test.ts'],
  },
  {
    name: 'an-approval-for-a-chat-counts-in-all',
    promise: '0015.6',
    patches: [
      {
        file: 'lib/plugins/remembered/coverage.ts',
        find: "scope === 'chat' ? chatId : null",
        replace: 'null',
      },
    ],
    suites: [
      'tests/contract/flow/remember.test.ts',
      'tests/contract/remember.test.ts',
      'tests/adr/0015-who-may-answer.test.ts',
    ],
  },
  {
    name: 'a-new-description-keeps-a-remembered-approval',
    promise: '0015.7',
    patches: [
      {
        file: 'lib/run/question/tool-definition.ts',
        find: '  const facts = {\n    description,\n',
        replace: '  const facts = {\n',
      },
    ],
    suites: ['tests/contract/flow/remember.test.ts', 'tests/adr/0015-who-may-answer.test.ts'],
  },
  {
    name: 'a-changed-gate-changes-no-question',
    promise: '0020.4',
    patches: [
      {
        file: 'lib/run/question/question-digest.ts',
        find: '    policyOf(own.settings, own.name),\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/flow/outdated-questions.test.ts', 'tests/adr/0020-what-was-shown-runs.test.ts'],
  },
  {
    name: 'a-granted-call-is-never-outdated',
    promise: '0020.12',
    patches: [
      {
        file: 'lib/run/question/outdated.ts',
        find: 'asked?.digest ?? granted?.digest',
        replace: 'asked?.digest',
      },
    ],
    suites: [
      'tests/contract/flow/outdated-questions.test.ts',
      'tests/contract/flow/remember.test.ts',
      'tests/adr/0020-what-was-shown-runs.test.ts',
    ],
  },
  {
    name: 'an-option-moves-a-secret',
    promise: '0050.1',
    patches: [
      {
        file: 'lib/run/question/options.ts',
        find: "    if (!isSameJson(redact(input, paths), redactParsed(input, call.input, paths)))\n      return leftOut({ problem: 'a secret of the call is in another place' });\n",
        replace: '',
      },
    ],
    suites: ['tests/contract/flow/options.test.ts', 'tests/adr/0050-more-than-yes.test.ts'],
  },
  {
    name: 'a-replaced-call-counts-in-the-position',
    promise: 'H13',
    patches: [
      {
        file: 'lib/run/question/question-due.ts',
        find: "      other.requested.gate.type === 'ask' &&\n      !other.replacedBy,",
        replace: "      other.requested.gate.type === 'ask',",
      },
    ],
    suites: ['tests/contract/flow/positions.test.ts', 'tests/contract/flow/outdated-questions.test.ts'],
  },
  {
    name: 'an-agent-may-extend-the-deadline',
    promise: '0044.10',
    patches: [
      {
        file: 'lib/run/question/question-due.ts',
        find: 'Math.min(requested, deadlineMs ?? requested)',
        replace: 'requested',
      },
    ],
    suites: ['tests/contract/agent-requests.test.ts', 'tests/adr/0044-commands-and-agents.test.ts'],
  },
  {
    name: 'a-risk-that-fails-is-no-risk',
    promise: '0040.9',
    patches: [
      {
        file: 'lib/run/question/risk-and-subject.ts',
        find: "return { risk: 'high' };",
        replace: 'return {};',
      },
    ],
    suites: ['tests/adr/0040-evidence-for-a-decision.test.ts'],
  },
  {
    name: 'the-history-forgets-former-ids',
    promise: '0040.10',
    patches: [
      {
        file: 'lib/run/question/subject-history.ts',
        find: 'recordedIds(settings, asker).map((askerId) => {',
        replace: '[asker.id].map((askerId) => {',
      },
    ],
    suites: ['tests/adr/0040-evidence-for-a-decision.test.ts', 'tests/contract/flow/former-ids.test.ts'],
  },
  {
    name: 'a-repeat-is-forgotten-after-an-hour',
    promise: '0021.6',
    patches: [
      {
        file: 'lib/run/question/repeats.ts',
        find: 'const rememberedMs = 24 * 60 * 60 * 1000;',
        replace: 'const rememberedMs = 60 * 60 * 1000;',
      },
    ],
    suites: ['tests/adr/0021-what-ran-stays-in-the-chat.test.ts'],
  },
];
