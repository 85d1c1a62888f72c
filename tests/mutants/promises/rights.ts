import type { PromiseMutant } from '../promise-mutant.ts';

/** Who may answer a question, and who sees it. */
export const rightsMutants: readonly PromiseMutant[] = [
  {
    name: 'four-eyes-forgets-the-editor',
    promise: '0015.4: Under four eyes no one approves what they wrote.',
    patches: [
      {
        file: 'lib/rights/not-the-asker.ts',
        find: 'principal.id !== askedBy.id && principal.id !== editedBy?.id',
        replace: 'principal.id !== askedBy.id',
      },
    ],
    suites: ['tests/contract/approvers.test.ts', 'tests/adr/0015-who-may-answer.test.ts'],
  },
  {
    name: 'a-reader-changes-a-chat',
    promise: '0022.10',
    patches: [
      {
        file: 'lib/rights/permissions.ts',
        find: 'head.id !== flowLogId && (await mayChange(',
        replace: 'head.id !== flowLogId && (await mayRead(',
      },
    ],
    suites: ['tests/contract/flow/rules.test.ts', 'tests/adr/0022-when-in-doubt-nothing-runs.test.ts'],
  },
  {
    name: 'a-truthy-rule-allows',
    promise: '0022.1: Only `true` from a rule grants access.',
    patches: [
      {
        file: 'lib/rights/rule-allows.ts',
        find: 'return (await rule(principal, subject)) === true;',
        replace: 'return Boolean(await rule(principal, subject));',
      },
    ],
    suites: ['tests/contract/flow/rules.test.ts', 'tests/adr/0022-when-in-doubt-nothing-runs.test.ts'],
  },
  {
    name: 'a-failed-rule-allows',
    promise: '0022.2: A rule that throws or rejects refuses.',
    patches: [
      {
        file: 'lib/rights/rule-allows.ts',
        find: '    return false;\n  }\n}',
        replace: '    return true;\n  }\n}',
      },
    ],
    suites: ['tests/contract/flow/rules.test.ts', 'tests/adr/0022-when-in-doubt-nothing-runs.test.ts'],
  },
  {
    name: 'the-rule-of-the-tool-replaces-that-of-the-flow',
    promise: '0015.1: If the flow has a rule as well, both must agree.',
    patches: [
      {
        file: 'lib/rights/right-to-answer.ts',
        find: 'if (rule && !(await allows',
        replace: 'if (rule && !approvers && !(await allows',
      },
    ],
    suites: ['tests/contract/approvers.test.ts', 'tests/adr/0015-who-may-answer.test.ts'],
  },
  {
    name: 'a-due-step-gives-rights-before-it-is-recorded',
    promise: '0048.2: Nobody gains a right before a step is in the log.',
    patches: [
      {
        file: 'lib/plugins/escalation/rules.ts',
        find: '.slice(0, plugins?.escalation?.step ?? 0)',
        replace: '.slice(0, (plugins?.escalation?.step ?? 0) + 1)',
      },
    ],
    suites: ['tests/contract/flow/escalation.test.ts', 'tests/adr/0048-escalation.test.ts'],
  },
  {
    name: 'rules-see-former-ids',
    promise: '0012.12: A principal with a new id cannot answer what it asked for under the former id.',
    patches: [
      {
        file: 'lib/rights/ruled-question.ts',
        find: 'askedBy: withCurrentId(settings, askedBy),',
        replace: 'askedBy,',
      },
    ],
    suites: ['tests/contract/flow/former-ids.test.ts', 'tests/contract/keys-of-users.test.ts'],
  },
  {
    name: 'rules-see-what-the-model-wrote',
    promise: '0020.2: Rules see the arguments that the tool would receive.',
    patches: [
      {
        file: 'lib/rights/ruled-question.ts',
        find: 'return runsAs === undefined ? question : { ...question, input: runsAs };',
        replace: 'return question;',
      },
    ],
    suites: ['tests/contract/flow/shown-arguments.test.ts', 'tests/adr/0020-what-was-shown-runs.test.ts'],
  },
  {
    name: 'edited-arguments-are-not-judged',
    promise: '0015.4: The rule also applies to edited arguments.',
    patches: [
      {
        file: 'lib/commands/answer/edit/edit.ts',
        find: 'ruled: ruledWith(asked, written, principal)',
        replace: 'ruled: question',
      },
    ],
    suites: ['tests/contract/approvers.test.ts', 'tests/adr/0015-who-may-answer.test.ts'],
  },
  {
    name: 'an-answer-during-which-the-deadline-passed-counts',
    promise:
      '0022.3: A rule is called again at the answer, and one that takes longer than the deadline allows answers nothing.',
    patches: [
      {
        file: 'lib/commands/answer/take-answers.ts',
        find: 'if (deadline === undefined || deadline > (await clock.sure())) return;',
        replace: 'if (deadline === undefined || deadline > 0) return;',
      },
    ],
    suites: ['tests/adr/0022-when-in-doubt-nothing-runs.test.ts', 'tests/contract/flow/expiry.test.ts'],
  },
  {
    name: 'an-old-sign-in-approves',
    promise: '0015.11: If a tool needs a recent sign-in, an answer without one is refused.',
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
    name: 'a-sign-in-in-the-future-counts',
    promise: '0015.11: A sign-in in the future proves nothing.',
    patches: [
      {
        file: 'lib/rights/step-up.ts',
        find: 'authenticatedAt <= now && now - authenticatedAt <= maxAgeMs',
        replace: 'now - authenticatedAt <= maxAgeMs',
      },
    ],
    suites: ['tests/contract/step-up.test.ts'],
  },
  {
    name: 'any-sign-in-method-counts',
    promise: '0015.11: A tool that needs a certain sign-in method refuses others.',
    patches: [
      {
        file: 'lib/rights/step-up.ts',
        find: 'if (!isRecent || !methods) return isRecent;',
        replace: 'if (!isRecent || !methods?.length || authenticationMethods) return isRecent;',
      },
    ],
    suites: ['tests/contract/step-up.test.ts'],
  },
  {
    name: 'the-default-is-that-everybody-answers',
    promise: '0012.2: To another principal, a question looks exactly as if it did not exist.',
    patches: [
      {
        file: 'lib/rights/right-to-answer.ts',
        find: "else if (ownerId === principal.id) return 'owner';",
        replace: "else return 'owner';",
      },
    ],
    suites: ['tests/contract/flow/rules.test.ts', 'tests/contract/stranger.test.ts'],
  },
  {
    name: 'a-watcher-reads-where-the-earlier-call-was',
    promise: '0012.2: A person who may not see a chat does not learn that it exists.',
    patches: [
      {
        file: 'lib/rights/shown-evidence.ts',
        find: '...(isSeen && { chatId, toolCallId })',
        replace: '...(chatId && { chatId, toolCallId })',
      },
    ],
    suites: ['tests/adr/0021-what-ran-stays-in-the-chat.test.ts'],
  },
  {
    name: 'a-stranger-reads-why-an-earlier-call-failed',
    promise: 'S4: People who may not see the chat learn which tools failed, but not why.',
    patches: [
      {
        file: 'lib/rights/shown-evidence.ts',
        find: 'return { earlier: earlier.map(withoutError) };',
        replace: 'return { earlier };',
      },
    ],
    suites: ['tests/contract/flow/failed-before.test.ts', 'tests/contract/approvers.test.ts'],
  },
  {
    name: 'the-operators-endpoints-are-open',
    promise: '0022.1: Only `true` from a rule grants access.',
    patches: [
      {
        file: 'lib/rights/permissions.ts',
        find: 'if ((await settings.mayOperate?.(principal)) === true) return;',
        replace: 'if ((await settings.mayOperate?.(principal)) !== false) return;',
      },
    ],
    suites: ['tests/contract/flow/operations.test.ts', 'tests/contract/stranger.test.ts'],
  },
  {
    name: 'a-short-page-reveals-hidden-rows',
    promise: "0012.15: Other people's activity changes no byte of a page.",
    patches: [
      {
        file: 'lib/rights/visible-page.ts',
        find: 'if (from === undefined || items.length > limit) break;',
        replace: 'if (from === undefined || items.length >= 0) break;',
      },
    ],
    suites: ['tests/contract/unseen-activity.test.ts', 'tests/contract/unseen-chats.test.ts'],
  },
];
