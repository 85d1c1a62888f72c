import type { PromiseMutant } from '../promise-mutant.ts';

/** Answers, messages, stops, erasures, imports and requests of agents. */
export const commandsMutants: readonly PromiseMutant[] = [
  {
    name: 'a-cancelled-turn-is-not-named',
    promise: 'H8: The response to a message names the earlier one that has changed.',
    patches: [{ file: 'lib/log/turn/unread-end.ts', find: 'turn.isCancelled ||', replace: '' }],
    suites: ['tests/contract/flow/changed-message.test.ts'],
  },
  {
    name: 'an-edit-in-the-page-s-list-is-ignored',
    promise: 'H7: A message whose id is known, with other texts or files, is an edit.',
    patches: [
      {
        file: 'lib/commands/send-message.ts',
        find: 'const isEdit = isChanged || ',
        replace: 'const isEdit = ',
      },
    ],
    suites: ['tests/contract/flow/history.test.ts'],
  },
  {
    name: 'an-answer-counts-after-its-deadline',
    promise: '0022.3',
    patches: [
      {
        file: 'lib/commands/answer/take-answers.ts',
        find: '  await assertInTime(flow, call);\n',
        replace: '',
      },
    ],
    suites: [
      'tests/adr/0022-when-in-doubt-nothing-runs.test.ts',
      'tests/contract/flow/expiry.test.ts',
      'tests/contract/flow/rules.test.ts',
    ],
  },
  {
    name: 'the-arguments-of-a-client-tool-are-edited',
    promise: '0020.13',
    patches: [
      {
        file: 'lib/commands/answer/edit/edit.ts',
        find: "requested.executor !== 'server'",
        replace: "requested.executor === 'provider'",
      },
    ],
    suites: ['tests/adr/0020-what-was-shown-runs.test.ts', 'tests/contract/approvers.test.ts'],
  },
  {
    name: 'a-form-of-a-running-call-is-an-edit',
    promise: '0037.8',
    patches: [
      {
        file: 'lib/commands/answer/form/content.ts',
        find: 'parsed: { json: content } })',
        replace: 'parsed: { json: content } }, asked.principal)',
      },
    ],
    suites: ['tests/adr/0037-a-running-call-asks.test.ts', 'tests/contract/flow/asking-calls.test.ts'],
  },
  {
    name: 'a-form-with-several-approvals',
    promise: '0047.9',
    patches: [
      {
        file: 'lib/plugins/votes/votes.ts',
        find: "if (executor === 'client' || isForm(toolNamed(settings, toolName)))",
        replace: "if (executor === 'client')",
      },
    ],
    suites: ['tests/adr/0047-several-approvals.test.ts', 'tests/contract/flow/votes.test.ts'],
  },
  {
    name: 'a-sign-in-is-not-required',
    promise: '0015.11',
    patches: [
      {
        file: 'lib/commands/answer/steps/rights.ts',
        find: '  requireStepUp(engine.settings, principal, question);\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/step-up.test.ts', 'tests/adr/0015-who-may-answer.test.ts'],
  },
  {
    name: 'a-paused-call-cannot-be-denied',
    promise: '0023.8',
    patches: [
      {
        file: 'lib/commands/answer/answer-steps.ts',
        find: "name: 'pause', of: 'approvals'",
        replace: "name: 'pause', of: 'answers'",
      },
    ],
    suites: ['tests/contract/record/pause.test.ts', 'tests/adr/0023-the-record-outlives-the-chat.test.ts'],
  },
  {
    name: 'an-answer-to-another-digest-counts',
    promise: '0044.4',
    patches: [
      {
        file: 'lib/commands/answer/steps/as-shown.ts',
        find: 'if (digest !== undefined && digest !== question.digest) {',
        replace: 'if (digest !== undefined && question.digest === undefined) {',
      },
    ],
    suites: [
      'tests/adr/0044-commands-and-agents.test.ts',
      'tests/contract/flow/shown-arguments.test.ts',
      'tests/contract/flow/outdated-questions.test.ts',
    ],
  },
  {
    name: 'arguments-that-were-not-shown-run',
    promise: '0002.8',
    patches: [
      {
        file: 'lib/commands/answer/steps/as-shown.ts',
        find: 'if (asked.includes(canonicalJson(redact(toJson(shownInput), secrets?.input)))) return undefined;',
        replace: 'if (asked.length > 0) return undefined;',
      },
    ],
    suites: ['tests/contract/flow/answers.test.ts', 'tests/adr/0002-tool-approval.test.ts'],
  },
  {
    name: 'a-denial-is-remembered',
    promise: '0015.8',
    patches: [
      {
        file: 'lib/commands/answer/answer-kinds.ts',
        find: ": (['value', 'plugins'] as const)",
        replace: ": (['value'] as const)",
      },
    ],
    suites: [
      'tests/contract/flow/remember.test.ts',
      'tests/contract/remember.test.ts',
      'tests/adr/0015-who-may-answer.test.ts',
    ],
  },
  {
    name: 'two-votes-carry-over-to-edited-arguments',
    promise: '0047.5',
    patches: [
      {
        file: 'lib/commands/answer/several/leave-open.ts',
        find: 'const edit = editIn(answering);',
        replace: 'const edit = (call.recorded?.length ?? 0) < 2 ? editIn(answering) : undefined;',
      },
    ],
    suites: ['tests/contract/flow/votes.test.ts', 'tests/adr/0047-several-approvals.test.ts'],
  },
  {
    name: 'a-question-of-another-chat-is-known',
    promise: '0012.2',
    patches: [
      {
        file: 'lib/commands/answer/sort-answers.ts',
        find: 'if (!question || question.chatId !== chatId) throw neverAsked(approvalId);',
        replace: 'if (!question) throw neverAsked(approvalId);',
      },
    ],
    suites: [
      'tests/contract/flow/answers.test.ts',
      'tests/contract/stranger.test.ts',
      'tests/contract/unseen-chats.test.ts',
    ],
  },
  {
    name: 'the-last-answer-of-a-request-counts',
    promise: 'H10',
    patches: [
      {
        file: 'lib/commands/answer/sort-answers.ts',
        find: 'new Map(answers.toReversed().map(',
        replace: 'new Map(answers.map(',
      },
    ],
    suites: ['tests/adr/0004-response-timing.test.ts', 'tests/e2e/answers.e2e.test.ts'],
  },
  {
    name: 'an-output-comes-before-its-approval',
    promise: '0004.10',
    patches: [
      {
        file: 'lib/commands/answer/take-answers.ts',
        find: 'turn.waitsFor === call && !call.end && (call === approved || isCleared(call))',
        replace: 'turn.waitsFor === call && !call.end',
      },
    ],
    suites: ['tests/contract/flow/timing-client-tools.test.ts', 'tests/adr/0004-response-timing.test.ts'],
  },
  {
    name: 'an-output-of-the-page-is-not-checked',
    promise: 'H1: an output of the client fits its schema',
    patches: [
      {
        file: 'lib/commands/answer/client-output.ts',
        find: '  if (!checked.success) {\n',
        replace: '  if (output.output === undefined) {\n',
      },
    ],
    suites: ['tests/contract/flow/timing-client-tools.test.ts'],
  },
  {
    name: 'a-list-item-gets-the-secret-of-another',
    promise: '0011.3',
    patches: [
      {
        file: 'lib/commands/answer/edit/restore-secrets.ts',
        find: '    if (edited.length !== shown.length) return withoutPlaceholder(edited);\n',
        replace: '',
      },
    ],
    suites: ['tests/unit/secrets.test.ts', 'tests/adr/0011-secrets.test.ts'],
  },
  {
    name: 'a-placeholder-within-a-text-runs',
    promise: '0011.4',
    patches: [
      {
        file: 'lib/commands/answer/edit/restore-secrets.ts',
        find: 'return value.includes(redacted);',
        replace: 'return value === redacted;',
      },
    ],
    suites: ['tests/adr/0011-secrets.test.ts', 'tests/contract/flow/secrets.test.ts'],
  },
  {
    name: 'a-misfit-quotes-a-secret',
    promise: '0011.1',
    patches: [
      {
        file: 'lib/commands/answer/edit/field-errors.ts',
        find: "message: !hasSecrets && message !== '' ? message : undefined,",
        replace: "message: message !== '' ? message : undefined,",
      },
    ],
    suites: ['tests/contract/flow/secrets.test.ts', 'tests/contract/flow/answers.test.ts'],
  },
  {
    name: 'a-form-is-remembered',
    promise: '0050.3',
    patches: [
      {
        file: 'lib/commands/answer/answer-kinds.ts',
        find: 'if (unused === undefined) return answer;',
        replace: "if (unused === undefined || answer.type === 'value') return answer;",
      },
    ],
    suites: ['tests/contract/flow/ask-person.test.ts', 'tests/adr/0050-more-than-yes.test.ts'],
  },
  {
    name: 'a-changed-effect-is-approved',
    promise: '0040.3',
    patches: [
      {
        file: 'lib/commands/answer/steps/effect.ts',
        find: 'if (effect.digest === previewDigest) return { previewDigest };',
        replace: 'if (effect.digest !== undefined) return { previewDigest };',
      },
    ],
    suites: ['tests/adr/0040-evidence-for-a-decision.test.ts'],
  },
  {
    name: 'a-required-effect-may-be-missing',
    promise: '0040.5',
    patches: [
      {
        file: 'lib/commands/answer/steps/effect.ts',
        find: "if (previewRequired && effect?.state === 'failed') {",
        replace: "if (previewRequired && previewDigest !== undefined && effect?.state === 'failed') {",
      },
    ],
    suites: ['tests/adr/0040-evidence-for-a-decision.test.ts'],
  },
  {
    name: 'a-tool-that-is-never-remembered-is',
    promise: '0015.8',
    patches: [
      {
        file: 'lib/plugins/remembered/remember.ts',
        find: 'if (remembered === false)',
        replace: 'if (settings === undefined)',
      },
    ],
    suites: [
      'tests/contract/remember.test.ts',
      'tests/contract/flow/remember.test.ts',
      'tests/adr/0015-who-may-answer.test.ts',
    ],
  },
  {
    name: 'a-chat-that-became-active-is-erased',
    promise: 'Retention erases chats that rest',
    patches: [
      {
        file: 'lib/commands/erase.ts',
        find: 'if (!head || !isDue(head)) return;',
        replace: 'if (!head) return;',
      },
    ],
    suites: ['tests/contract/flow/retention.test.ts'],
  },
  {
    name: 'an-erasure-takes-what-came-after',
    promise: '0023.4',
    patches: [
      {
        file: 'lib/commands/erase.ts',
        find: '  await store.chats.erase(chatId, by, erasedAt, record && JSON.stringify(record), seq);',
        replace: '  await store.chats.erase(chatId, by, erasedAt, record && JSON.stringify(record));',
      },
    ],
    suites: [
      'tests/contract/record/kept-records.test.ts',
      'tests/adr/0023-the-record-outlives-the-chat.test.ts',
    ],
  },
  {
    name: 'a-record-is-purged-by-default',
    promise: '0023.7',
    patches: [
      {
        file: 'lib/commands/purge.ts',
        find: 'ruledChat(settings, { id: chatId, ownerId }))) !== true) {',
        replace: 'ruledChat(settings, { id: chatId, ownerId }))) === false) {',
      },
    ],
    suites: [
      'tests/contract/record/kept-records.test.ts',
      'tests/adr/0023-the-record-outlives-the-chat.test.ts',
    ],
  },
  {
    name: 'a-question-that-is-withdrawn-counts-as-denied',
    promise: '0048.7',
    patches: [
      {
        file: 'lib/commands/expire.ts',
        find: "asked?.atDeadline === 'withdraw' ? 'withdrawn' : 'expired'",
        replace: "'expired'",
      },
    ],
    suites: ['tests/contract/flow/escalation.test.ts', 'tests/adr/0048-escalation.test.ts'],
  },
  {
    name: 'a-cancelled-call-cancels-the-open-question',
    promise: 'A call is cancelled by its id',
    patches: [
      {
        file: 'lib/commands/cancel-call.ts',
        find: "if (head.status !== 'waiting' || waitsFor?.requested.toolCallId !== toolCallId) return false;",
        replace: "if (head.status !== 'waiting' || !waitsFor) return false;",
      },
    ],
    suites: ['tests/contract/flow/cancel-call.test.ts'],
  },
  {
    name: 'an-unknown-outcome-can-be-retried',
    promise: '0002.5',
    patches: [
      {
        file: 'lib/commands/retry-call.ts',
        find: "call.end?.type !== 'tool-failed' || !call.end.retryable ||",
        replace: "call.end?.type !== 'tool-failed' ||",
      },
    ],
    suites: ['tests/contract/flow/retry-call.test.ts'],
  },
  {
    name: 'a-note-about-an-outcome-shows-a-secret',
    promise: '0019.9',
    patches: [
      {
        file: 'lib/commands/resolve-outcome.ts',
        find: 'given === undefined ? undefined : strikeOut(given, input, secrets?.input)',
        replace: 'given',
      },
    ],
    suites: ['tests/contract/flow/resolve-outcome.test.ts', 'tests/contract/flow/resolved-outcomes.test.ts'],
  },
  {
    name: 'a-message-is-sent-into-an-active-run',
    promise: '0013.1',
    patches: [
      {
        file: 'lib/commands/send-message.ts',
        find: "  if (head.status === 'active') {\n",
        replace: "  if (head.status === 'active' && head.runId === null) {\n",
      },
    ],
    suites: [
      'tests/contract/flow/recovery.test.ts',
      'tests/contract/flow/history.test.ts',
      'tests/contract/chat-request.test.ts',
    ],
  },
  {
    name: 'a-turn-that-cannot-ask-is-held',
    promise: '0004.8',
    patches: [
      {
        file: 'lib/commands/send-message.ts',
        find: "return mayEverAsk(settings) ? (settings.release ?? 'final') : 'progressive';",
        replace: "return settings.release ?? 'final';",
      },
    ],
    suites: [
      'tests/contract/flow/timing-release.test.ts',
      'tests/adr/0004-response-timing.test.ts',
      'tests/contract/flow/lean-streaming.test.ts',
    ],
  },
  {
    name: 'a-key-is-used-for-another-message',
    promise: 'A key names one message',
    patches: [
      { file: 'lib/commands/send-message.ts', find: '  await assertOwnKey(engine, request);\n', replace: '' },
    ],
    suites: ['tests/contract/flow/message-key.test.ts', 'tests/contract/dialects/keys.test.ts'],
  },
  {
    name: 'a-new-message-drops-the-approval-it-brings',
    promise: 'Answers and a message may come together',
    patches: [
      {
        file: 'lib/commands/send-message.ts',
        find: "if (nextAction(turnWith(journal.turn, events)).type === 'execute') {",
        replace: "if (nextAction(turnWith(journal.turn, events)).type === 'advance') {",
      },
    ],
    suites: [
      'tests/contract/flow/answers.test.ts',
      'tests/contract/flow/recovery.test.ts',
      'tests/contract/flow/history.test.ts',
    ],
  },
  {
    name: 'what-was-not-shown-is-approved-in-advance',
    promise: '0041.4',
    patches: [
      {
        file: 'lib/plugins/pre-approvals/give.ts',
        find: '  if (digest !== shown.digest) {\n',
        replace: '  if (digest === undefined) {\n',
      },
    ],
    suites: ['tests/contract/flow/pre-approvals.test.ts', 'tests/adr/0041-upcoming-calls.test.ts'],
  },
  {
    name: 'upcoming-calls-of-others-are-listed',
    promise: '0041.2',
    patches: [
      {
        file: 'lib/plugins/pre-approvals/upcoming.ts',
        find: 'const rule = await ownRight(settings, principal, question);',
        replace: "const rule = (await ownRight(settings, principal, question)) ?? 'owner';",
      },
    ],
    suites: ['tests/contract/flow/pre-approvals.test.ts', 'tests/adr/0041-upcoming-calls.test.ts'],
  },
  {
    name: 'one-instance-decides-that-a-tool-has-changed',
    promise: '0020.8',
    patches: [
      {
        file: 'lib/commands/outdated/outdated-questions.ts',
        find: '      instances.every(({ outdated })',
        replace: '      instances.some(({ outdated })',
      },
    ],
    suites: ['tests/contract/flow/outdated-questions.test.ts', 'tests/adr/0020-what-was-shown-runs.test.ts'],
  },
  {
    name: 'an-erased-chat-is-imported-again',
    promise: 'Stays erased even if the id is reused',
    patches: [
      {
        file: 'lib/plugins/imports/import-chat.ts',
        find: '    await refuseErased(engine, chatId);\n',
        replace: '',
      },
    ],
    suites: [
      'tests/contract/flow/import-chat.test.ts',
      'tests/contract/flow/import-checks.test.ts',
      'tests/adr/0036-imported-chats.test.ts',
    ],
  },
  {
    name: 'other-messages-count-as-imported',
    promise: '0036.5',
    patches: [
      {
        file: 'lib/plugins/imports/import-chat.ts',
        find: '  if (first.digest !== digest) {\n',
        replace: '  if (first.digest === undefined) {\n',
      },
    ],
    suites: ['tests/contract/flow/import-chat.test.ts', 'tests/adr/0036-imported-chats.test.ts'],
  },
  {
    name: 'an-imported-approval-did-not-run',
    promise: '0036.4',
    patches: [
      {
        file: 'lib/plugins/imports/end-parts.ts',
        find: '      if (part.approval.approved) return endUnknown(settings, part);\n',
        replace: '      if (part.approval.approved) return endWithoutRun(settings, part, neverAnswered);\n',
      },
    ],
    suites: ['tests/contract/flow/import-chat.test.ts', 'tests/adr/0036-imported-chats.test.ts'],
  },
  {
    name: 'an-imported-output-shows-a-secret',
    promise: '0011.1',
    patches: [
      {
        file: 'lib/plugins/imports/end-parts.ts',
        find: 'hidden.output = redact(part.output as JsonValue, secrets.output);',
        replace: 'hidden.output = redact(part.output as JsonValue, secrets.input);',
      },
    ],
    suites: ['tests/contract/flow/import-chat.test.ts', 'tests/adr/0036-imported-chats.test.ts'],
  },
  {
    name: 'a-key-of-an-agent-names-two-requests',
    promise: '0044.7',
    patches: [
      {
        file: 'lib/plugins/agent-requests/request-approval.ts',
        find: "  if (first && !isSameJson(first.input, input)) throw reused('for another request');\n",
        replace: '',
      },
    ],
    suites: ['tests/contract/agent-requests.test.ts', 'tests/adr/0044-commands-and-agents.test.ts'],
  },
];
