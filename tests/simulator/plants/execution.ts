import { type Plant, patch } from './plant.ts';

/** Bugs in what runs, when, and with which arguments. */
export const executionPlants: readonly Plant[] = [
  {
    name: 'reports-outlive-their-attempt',
    rule: 'A1',
    patches: [
      patch(
        'run/call/run-tool.ts',
        '(isOver ? undefined : execution.report(body))',
        'execution.report(body)',
      ),
      patch(
        'log/journal.ts',
        'const isOver = staged.hasEnded(runId) || end.turn.calls.get(body.toolCallId)?.end !== undefined;',
        'const isOver = false;',
      ),
    ],
  },
  {
    name: 'a-transcript-accepts-events-out-of-order',
    rule: 'A1',
    patches: [
      patch(
        'views/transcripts.ts',
        'found?.createdAt !== createdAt || found.transcript.seq !== event.seq - 1',
        'found?.createdAt !== createdAt',
      ),
    ],
  },
  {
    name: 'arguments-are-parsed-twice',
    rule: 'A2',
    patches: [
      patch(
        'run/call/input/parse-input.ts',
        'const parsing = await schemas.parse(tool, input);',
        'const once = await schemas.parse(tool, input);\n  const parsing = once.fits ? await schemas.parse(tool, once.value) : once;',
      ),
    ],
  },
  {
    name: 'an-edit-is-dropped',
    rule: 'A2',
    patches: [
      patch('commands/answer/answer-kinds.ts', '    parseEdit(decided) ??\n', ''),
      patch('commands/answer/answer-kinds.ts', "['input', 'value']", "['value']"),
    ],
  },
  {
    name: 'a-call-starts-without-its-lease',
    rule: 'A3',
    patches: [patch('run/call/run-tool.ts', 'if (check.isSure()) break;', 'break;')],
  },
  {
    name: 'the-key-is-the-call-id',
    rule: 'A4',
    patches: [
      patch(
        'run/call/execution-of.ts',
        'JSON.stringify([firstRunId, chatId, toolCallId])',
        'JSON.stringify([toolCallId])',
      ),
    ],
  },
  {
    name: 'another-attempt-has-another-key',
    rule: 'A4',
    patches: [
      patch(
        'run/call/run-tool.ts',
        '    idempotencyKey,\n    fencingToken',
        "    idempotencyKey: idempotencyKey + (call.retried?.seq ?? ''),\n    fencingToken",
      ),
    ],
  },
  {
    name: 'the-store-lets-a-stopped-run-continue',
    rule: 'A5',
    patches: [
      patch('stores/sqlite/append.ts', 'if (isStopped(statements, batch, standing)) return stopped;', ''),
    ],
  },
  {
    name: 'a-stopped-run-may-ask',
    rule: 'A5',
    patches: [
      patch(
        'stores/batch.ts',
        'kernelEvents.get(type)?.isGuarded && runId',
        "type === 'tool-started' && runId",
      ),
    ],
  },
  {
    name: 'the-first-error-is-final',
    rule: 'A6',
    patches: [
      patch(
        'log/journal/batch-writer.ts',
        '(error) => isOfRun && mayPass(error) && mayRetry(),',
        '() => false,',
      ),
      patch('log/journal/batch-writer.ts', 'if (ends.length > 0) onLost?.(ends, durable);', ''),
    ],
  },
  {
    name: 'a-late-outcome-is-reported-once',
    rule: 'A6',
    patches: [
      patch(
        'run/outcomes/late-outcomes.ts',
        "if (type !== 'pending') return change.cancel();",
        'return change.cancel();',
      ),
    ],
  },
  {
    name: 'a-late-failure-covers-a-later-attempt',
    rule: 'A6',
    patches: [
      patch(
        'run/outcomes/record-outcome.ts',
        "if (wasRunAgain && report.outcome !== 'completed') return { type: 'standing', call };",
        'void wasRunAgain;',
      ),
    ],
  },
  {
    name: 'an-abandoned-call-is-forgotten',
    rule: 'A6',
    patches: [
      patch(
        'run/call/execute-call.ts',
        'void result.later.then((later) => reportLate(execution, later, facts, onLate));',
        '',
      ),
    ],
  },
  {
    name: 'a-lookup-is-skipped',
    rule: 'A7',
    patches: [
      patch('run/outcomes/look-up.ts', 'if (!lookup) return undefined;', 'if (lookup) return undefined;'),
    ],
  },
  {
    name: 'anyone-may-report-an-outcome',
    rule: 'A7',
    patches: [
      patch(
        'commands/resolve-outcome.ts',
        'const isVisible = await mayRead(settings, principal, head);',
        'const isVisible = true;',
      ),
      patch(
        'commands/resolve-outcome.ts',
        'if (await mayAnswer(settings, principal, question)) return;',
        'if (isVisible) return;',
      ),
    ],
  },
  {
    name: 'a-later-run-forgets-its-call-options',
    rule: 'A8',
    patches: [
      patch(
        'run/prepare-run.ts',
        'callOptions: turn.callOptions',
        'callOptions: turn.steps.length > 0 ? undefined : turn.callOptions',
      ),
    ],
  },
  {
    name: 'no-question-is-outdated',
    rule: 'A8',
    patches: [
      patch(
        'run/question/outdated.ts',
        'return recorded !== undefined && recorded !== (await',
        "return recorded === '' && recorded !== (await",
      ),
    ],
  },
  {
    name: 'a-version-is-not-part-of-the-question',
    rule: 'A8',
    patches: [patch('run/question/question-digest.ts', 'version ?? null,', 'null,')],
  },
  {
    name: 'regenerate-drops-what-ran',
    rule: 'A9',
    patches: [
      patch(
        'run/kept-calls.ts',
        'return hasRun(call) && !mayRepeat ?',
        'return hasRun(call) && call.retried && !mayRepeat ?',
      ),
    ],
  },
  {
    name: 'an-edit-drops-what-ran-ungated',
    rule: 'A9',
    patches: [
      patch(
        'run/kept-calls.ts',
        "const mayRepeat = gate.type === 'none' && isIdempotent(toolName);",
        "const mayRepeat = gate.type === 'none';",
      ),
    ],
  },
  {
    name: 'a-repeat-is-not-marked',
    rule: 'A9',
    patches: [
      patch(
        'run/question/repeats.ts',
        'if (mark.chatId === chatId && mark.toolCallId === toolCallId) continue;',
        'if (mark.chatId === chatId) continue;',
      ),
    ],
  },
  {
    name: 'a-model-without-output-is-always-an-error',
    rule: 'A9',
    patches: [patch('run/step/finish-step.ts', 'if (!hasContent(turn)) {', 'if (!content.hasProse) {')],
  },
  {
    name: 'a-time-limit-is-ignored',
    rule: 'A10',
    patches: [patch('run/call/time-limit.ts', 'cancel = clock.after(leftMs, reach);', 'cancel = () => {};')],
  },
  {
    name: 'a-time-limit-counts-as-a-failure',
    rule: 'A10',
    patches: [
      patch(
        'run/call/execute-call.ts',
        "if (result.why === 'timed-out' && idempotent) {",
        "if (result.why === 'timed-out') {",
      ),
    ],
  },
  {
    name: 'a-reset-counts-as-a-failure',
    rule: 'A10',
    patches: [
      patch(
        'run/call/execute-call.ts',
        'if (!idempotent && fault.ambiguous) return',
        'if (idempotent && fault.ambiguous) return',
      ),
    ],
  },
  {
    name: 'a-pause-is-not-checked-before-a-start',
    rule: 'A11',
    patches: [
      patch('run/call/run-tool.ts', "if (pause) return { type: 'paused', pause };", ''),
      patch(
        'log/flow-log/pauses.ts',
        'mayPause: (): boolean => !loaded || current.length > 0,',
        'mayPause: (): boolean => false,',
      ),
    ],
  },
  {
    name: 'a-pause-stays-on-its-instance',
    rule: 'A11',
    patches: [
      patch('flow/sweep.ts', 'await engine.pauses.refresh();', ''),
      patch(
        'log/flow-log/pauses.ts',
        'notifications.listen(flowLogId, () => void refresh().catch(warn))',
        'notifications.listen(flowLogId, () => {})',
      ),
    ],
  },
];
