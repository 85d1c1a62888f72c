import type { PromiseMutant } from '../promise-mutant.ts';

/** Settings that are refused at creation, and the rules of authors. */
export const settingsMutants: readonly PromiseMutant[] = [
  {
    name: 'a-schema-that-no-model-can-be-given-is-taken',
    promise: 'ADR 0022: tool schemas that cannot be given to a model are refused at creation',
    patches: [
      {
        file: 'lib/settings/checks/check-settings.ts',
        find: "if (type !== 'provider' && isNew(inputSchema)) argumentsCheck(inputSchema, `${path}.inputSchema`);",
        replace: '',
      },
    ],
    suites: ['tests/contract/settings.test.ts', 'tests/contract/flow/prepare-call.test.ts'],
  },
  {
    name: 'two-escalation-steps-at-once',
    promise: '0048.14',
    patches: [
      {
        file: 'lib/plugins/escalation/checks.ts',
        find: 'afterMs <= (steps[index - 1]?.afterMs ?? 0)',
        replace: 'afterMs < (steps[index - 1]?.afterMs ?? 0)',
      },
    ],
    suites: ['tests/adr/0048-escalation.test.ts', 'tests/contract/settings.test.ts'],
  },
  {
    name: 'an-escalation-after-the-deadline',
    promise: '0048.14',
    patches: [
      {
        file: 'lib/plugins/escalation/checks.ts',
        find: '(end?.afterMs ?? 0) > deadlineMs || steps.some(({ afterMs }) => afterMs >= deadlineMs)',
        replace: '(end?.afterMs ?? 0) > deadlineMs',
      },
    ],
    suites: ['tests/adr/0048-escalation.test.ts', 'tests/contract/settings.test.ts'],
  },
  {
    name: 'two-options-with-one-label',
    promise: '0050.3',
    patches: [
      {
        file: 'lib/settings/forms/options-check.ts',
        find: 'before.some((other) => other.label === label)',
        replace: 'before.some((other) => other.id === label)',
      },
    ],
    suites: [
      'tests/contract/flow/options.test.ts',
      'tests/contract/settings.test.ts',
      'tests/adr/0050-more-than-yes.test.ts',
    ],
  },
  {
    name: 'several-approvals-of-a-client-tool',
    promise: '0047.9',
    patches: [
      {
        file: 'lib/plugins/votes/check-votes.ts',
        find: "if (found && executorOf(found, false) === 'client')",
        replace: "if (path === '')",
      },
    ],
    suites: ['tests/adr/0047-several-approvals.test.ts', 'tests/contract/settings.test.ts'],
  },
  {
    name: 'a-client-tool-with-secret-arguments',
    promise: '0011.1',
    patches: [
      {
        file: 'lib/settings/checks/tool-details-check.ts',
        find: 'if (details?.secrets?.input !== undefined)',
        replace: 'if (details?.secrets?.output !== undefined)',
      },
    ],
    suites: [
      'tests/contract/settings.test.ts',
      'tests/adr/0011-secrets.test.ts',
      'tests/contract/flow/secrets.test.ts',
    ],
  },
  {
    name: 'a-required-effect-without-a-preview',
    promise: '0040.5',
    patches: [
      {
        file: 'lib/settings/checks/tool-details-check.ts',
        find: 'if (details?.previewRequired && !details.preview)',
        replace: 'if (details?.previewRequired && details.describe)',
      },
    ],
    suites: ['tests/contract/settings.test.ts', 'tests/adr/0040-evidence-for-a-decision.test.ts'],
  },
  {
    name: 'a-refinement-of-tools-that-are-added-later',
    promise: '0029.2',
    patches: [
      {
        file: 'lib/settings/checks/call-checks.ts',
        find: 'names === undefined || mayAsk(settings, name)',
        replace: 'mayAsk(settings, name)',
      },
    ],
    suites: ['tests/adr/0029-settings-that-are-refused.test.ts', 'tests/contract/settings.test.ts'],
  },
  {
    name: 'a-short-secret',
    promise: 'A secret has at least 16 characters',
    patches: [
      {
        file: 'lib/protocol/settings.ts',
        find: "typeof value === 'string' && value.length >= 16",
        replace: "typeof value === 'string' && value.length >= 1",
      },
    ],
    suites: ['tests/contract/settings.test.ts'],
  },
  {
    name: 'a-setting-of-the-prototype',
    promise: '0022.6',
    patches: [
      {
        file: 'lib/protocol/settings.ts',
        find: 'Object.hasOwn(checks, name) ? checks[name] : undefined;\n      if',
        replace: 'checks[name];\n      if',
      },
    ],
    suites: ['tests/contract/settings.test.ts', 'tests/adr/0022-when-in-doubt-nothing-runs.test.ts'],
  },
  {
    name: 'a-timer-that-overflows',
    promise: '0022.6',
    patches: [
      {
        file: 'lib/protocol/settings.ts',
        find: 'const longestTimer = 2 ** 31 - 1;',
        replace: 'const longestTimer = Number.MAX_SAFE_INTEGER;',
      },
    ],
    suites: ['tests/contract/settings.test.ts'],
  },
  {
    name: 'a-prepared-call-without-gates',
    promise: '0030.4',
    patches: [
      {
        file: 'lib/settings/checks/check-settings.ts',
        find: 'if (settings.toolApproval !== undefined && (prepared.toolApproval ?? undefined) === undefined) {',
        replace: 'if (settings.toolApproval !== undefined && prepared.toolApproval === null) {',
      },
    ],
    suites: ['tests/contract/flow/prepare-call.test.ts', 'tests/adr/0030-call-options-are-recorded.test.ts'],
  },
  {
    name: 'a-subagent-three-levels-deep',
    promise: '0035.9',
    patches: [
      {
        file: 'lib/settings/agents/check-agent.ts',
        find: 'const deepest = 2;',
        replace: 'const deepest = 3;',
      },
    ],
    suites: [
      'tests/adr/0035-agents-within-agents.test.ts',
      'tests/contract/flow/subagents.test.ts',
      'tests/contract/settings.test.ts',
    ],
  },
  {
    name: 'two-subscribers-with-one-id',
    promise: '0043.11',
    patches: [
      {
        file: 'lib/plugins/subscriptions/settings.ts',
        find: 'if (twice !== -1) unfit',
        replace: 'if (twice > 1) unfit',
      },
    ],
    suites: ['tests/adr/0043-subscriptions.test.ts', 'tests/contract/settings.test.ts'],
  },
  {
    name: 'a-gate-without-a-result-runs-the-call',
    promise: '0022.5',
    patches: [
      {
        file: 'lib/settings/tools/guarded-gates.ts',
        find: '(input as never, options as never)) !== false;',
        replace: '(input as never, options as never)) === true;',
      },
    ],
    suites: [
      'tests/contract/flow/gate.test.ts',
      'tests/contract/flow/rules.test.ts',
      'tests/adr/0022-when-in-doubt-nothing-runs.test.ts',
    ],
  },
  {
    name: 'a-failed-gate-looks-like-a-denial',
    promise: '0022.5',
    patches: [
      { file: 'lib/settings/tools/guarded-gates.ts', find: '    failed.add(toolCallId);\n', replace: '' },
    ],
    suites: ['tests/contract/flow/gate.test.ts', 'tests/adr/0022-when-in-doubt-nothing-runs.test.ts'],
  },
  {
    name: 'a-description-that-throws-ends-the-turn',
    promise: '0007.5',
    patches: [
      {
        file: 'lib/settings/tools/author-texts.ts',
        find: '    logger?.error(`\\`${name}\\` of a tool failed. The default is shown.`, facts);\n    return failed;',
        replace:
          '    logger?.error(`\\`${name}\\` of a tool failed. The default is shown.`, facts);\n    throw error;',
      },
    ],
    suites: ['tests/contract/flow/author-texts.test.ts', 'tests/adr/0007-tool-details-beside-tools.test.ts'],
  },
];
