import type { PromiseMutant } from '../promise-mutant.ts';

/** What the approval card, its keys and the inbox let a person do, and what they say. */
export const cardMutants: readonly PromiseMutant[] = [
  {
    name: 'a-second-click-answers-again',
    promise: '0038: A card gives one answer at a time.',
    patches: [
      {
        file: 'lib/react/card/answer/use-answering.ts',
        find: '    isReady.current = false;\n',
        replace: '',
      },
    ],
    suites: ['tests/unit/react-approval-card.test.tsx'],
  },
  {
    name: 'a-changed-effect-is-approved-unread',
    promise: '0040: A card ignores answers for a moment when the effect that it shows has changed.',
    patches: [
      {
        file: 'lib/react/card/use-card-state.ts',
        find: "answering.progress === 'ready' && !isEffectSteady ? 'guarded' : answering.progress;",
        replace: 'answering.progress;',
      },
    ],
    suites: ['tests/unit/react-card-effect.test.tsx', 'tests/unit/react-approval-card.test.tsx'],
  },
  {
    name: 'an-outdated-question-is-approved',
    promise: '0020: A question whose tool has changed can be denied, not approved.',
    patches: [
      {
        file: 'lib/react/card/use-card-state.ts',
        find: 'const canApprove = canAnswer && !question.outdated && !isIncomplete;',
        replace: 'const canApprove = canAnswer;',
      },
    ],
    suites: ['tests/unit/react-approval-card.test.tsx'],
  },
  {
    name: 'a-paused-tool-is-approved',
    promise: 'H13: While a tool is paused, its calls can be denied and not approved.',
    patches: [
      {
        file: 'lib/react/card/use-card-state.ts',
        find: '!canApprove || question.paused : !canAnswer',
        replace: '!canApprove : !canAnswer',
      },
    ],
    suites: ['tests/unit/react-approval-card.test.tsx'],
  },
  {
    name: 'an-effect-that-is-awaited-is-approved',
    promise: '0040: A call whose required effect is not known yet cannot be approved.',
    patches: [
      {
        file: 'lib/react/card/use-card-state.ts',
        find: '    if (isProposal && preview.isAwaited) return;\n',
        replace: '',
      },
    ],
    suites: ['tests/unit/react-card-effect.test.tsx', 'tests/unit/react-approval-card.test.tsx'],
  },
  {
    name: 'the-effect-that-was-shown-is-not-named',
    promise: '0040: An approval names the effect that the card showed.',
    patches: [
      {
        file: 'lib/react/card/use-card-state.ts',
        find: '      previewDigest: isProposal && previewDigest !== undefined ? previewDigest : undefined,\n',
        replace: '',
      },
    ],
    suites: ['tests/unit/react-card-effect.test.tsx'],
  },
  {
    name: 'an-invalid-form-is-sent',
    promise: '0025: Edited arguments with problems are shown, not sent.',
    patches: [
      {
        file: 'lib/react/card/use-card-state.ts',
        find: '    if (isProposal && editing.problems > 0) return editing.showProblems();\n',
        replace: '',
      },
    ],
    suites: [
      'tests/unit/react-approval-card-edit.test.tsx',
      'tests/unit/react-approval-card-fill-in.test.tsx',
    ],
  },
  {
    name: 'the-first-deny-does-not-ask-for-a-reason',
    promise: '0050: Where a reason is asked for, the first Deny opens its field.',
    patches: [
      {
        file: 'lib/react/card/use-card-state.ts',
        find: "if (!approved && question.reasonOnDeny && text === '' && !isReasonOpen) return setReasonOpen(true);",
        replace: '',
      },
    ],
    suites: ['tests/unit/react-approval-card.test.tsx', 'tests/unit/react-approval-card-options.test.tsx'],
  },
  {
    name: 'an-option-is-chosen-that-was-not-shown',
    promise: '0050: An option with arguments of its own is approved only after they were shown.',
    patches: [
      {
        file: 'lib/react/card/use-card-state.ts',
        find: '    if (hasOwn && !optionsShown.current) return;\n',
        replace: '',
      },
    ],
    suites: ['tests/unit/react-approval-card-options.test.tsx'],
  },
  {
    name: 'an-edit-is-sent-as-an-option',
    promise: '0050: Edited arguments are not those of an option.',
    patches: [
      {
        file: 'lib/react/card/use-card-state.ts',
        find: 'option: option && !isEdited ? option.id : undefined,',
        replace: 'option: option?.id,',
      },
    ],
    suites: ['tests/unit/react-approval-card-options.test.tsx'],
  },
  {
    name: 'an-answer-without-the-sign-in-is-sent',
    promise: '0015.11: A tool that needs a recent sign-in is answered after it.',
    patches: [
      {
        file: 'lib/react/card/answer/use-step-up.ts',
        find: "return state === 'needed' || state === 'asking';",
        replace: "return state === 'asking';",
      },
    ],
    suites: ['tests/unit/react-approval-card-step-up.test.tsx'],
  },
  {
    name: 'an-answer-that-waited-too-long-is-sent',
    promise: '0038: An answer waits for the connection for at most a minute, even if the machine was asleep.',
    patches: [
      {
        file: 'lib/react/card/answer/use-delivery.ts',
        find: "unsent.state === 'queued' && Date.now() < unsent.until && send(answer);",
        replace: "unsent.state === 'queued' && send(answer);",
      },
    ],
    suites: ['tests/unit/react-unsent-answer.test.tsx'],
  },
  {
    name: 'an-answer-is-sent-when-the-connection-is-back',
    promise: '0038: An answer that was given without a connection is sent only if the person asks for it.',
    patches: [
      {
        file: 'lib/react/card/answer/use-delivery.ts',
        find: "unsent.state === 'queued' && Date.now() < unsent.until && send(answer);",
        replace: "(unsent.state === 'unsent' || Date.now() < unsent.until) && send(answer);",
      },
    ],
    suites: ['tests/unit/react-unsent-answer.test.tsx'],
  },
  {
    name: 'a-question-takes-the-focus-from-a-person-who-types',
    promise: '0038: A new question does not take the focus from a field with text.',
    patches: [
      {
        file: 'lib/react/card/focus/use-question-focus.ts',
        find: "if (active instanceof HTMLTextAreaElement) return active.value === '';",
        replace: 'if (active instanceof HTMLTextAreaElement) return true;',
      },
    ],
    suites: ['tests/unit/react-approval-card.test.tsx', 'tests/unit/react-question-leaves.test.tsx'],
  },
  {
    name: 'the-button-says-approve-for-edited-arguments',
    promise: '0038: The button says whether the proposed or the edited arguments are approved.',
    patches: [
      {
        file: 'lib/react/card/answer/action-parts.tsx',
        find: 'return isEdited ? words.approveEdited : words.approve;',
        replace: 'return words.approve;',
      },
    ],
    suites: ['tests/unit/react-approval-card-edit.test.tsx'],
  },
  {
    name: 'a-button-is-disabled-and-loses-the-focus',
    promise: '0038: A button that cannot be pressed keeps the focus.',
    patches: [
      {
        file: 'lib/react/card/answer/action-parts.tsx',
        find: "aria-disabled={progress !== 'ready' ||",
        replace: "disabled={progress !== 'ready' ||",
      },
    ],
    suites: ['tests/unit/react-approval-card.test.tsx'],
  },
  {
    name: 'answers-of-a-replay-are-lost',
    promise: '0038: An answer that is given during a replay is added when the replay ends.',
    patches: [
      {
        file: 'lib/client/chat/requests/additions.ts',
        find: 'if (isReplaying()) {\n      waiting.push(adding);',
        replace: 'if (false) {\n      waiting.push(adding);',
      },
    ],
    suites: ['tests/unit/react-chat-resuming.test.tsx', 'tests/unit/react-use-approval-chat.test.tsx'],
  },
  {
    name: 'two-tabs-notify',
    promise: '0038: A notification is shown once for all tabs.',
    patches: [
      {
        file: 'lib/react/tab/notify-once.ts',
        find: 'if (!lock || (await isTabVisible()) || settled.aborted) return;',
        replace: 'if ((await isTabVisible()) || settled.aborted) return;',
      },
    ],
    suites: ['tests/unit/react-tab.test.tsx'],
  },
  {
    name: 'a-visible-tab-notifies',
    promise: '0038: No notification is shown while a tab is visible.',
    patches: [
      {
        file: 'lib/react/tab/notify-once.ts',
        find: 'if (!lock || (await isTabVisible()) || settled.aborted) return;',
        replace: 'if (!lock || settled.aborted) return;',
      },
    ],
    suites: ['tests/unit/react-tab.test.tsx'],
  },
];
