import type { PromiseMutant } from '../promise-mutant.ts';

/** Slack and e-mail. */
export const channelMutants: readonly PromiseMutant[] = [
  {
    name: 'an-old-request-of-slack-is-accepted',
    promise: '0051.4: Only requests that Slack has signed within five minutes are handled.',
    patches: [
      {
        file: 'lib/plugins/slack/verify-request.ts',
        find: 'return isRecent && matching.length > 0 ? given : undefined;',
        replace: 'return matching.length > 0 ? given : undefined;',
      },
    ],
    suites: ['tests/contract/slack-hostile.test.ts', 'tests/contract/slack.test.ts'],
  },
  {
    name: 'a-request-that-slack-did-not-sign-is-accepted',
    promise: '0051.4: Only requests that Slack has signed are handled.',
    patches: [
      {
        file: 'lib/plugins/slack/verify-request.ts',
        find: 'return isRecent && matching.length > 0 ? given : undefined;',
        replace: 'return isRecent ? given : undefined;',
      },
    ],
    suites: ['tests/contract/slack-hostile.test.ts', 'tests/contract/slack.test.ts'],
  },
  {
    name: 'a-request-of-slack-is-handled-twice',
    promise: '0051.4: Each request is handled once.',
    patches: [
      {
        file: 'lib/plugins/slack/handler.ts',
        find: 'if (interaction === null || seen.has(signature)) return empty(200);',
        replace: 'if (interaction === null) return empty(200);',
      },
    ],
    suites: ['tests/contract/slack-hostile.test.ts', 'tests/contract/slack.test.ts'],
  },
  {
    name: 'people-of-other-workspaces-answer',
    promise: '0051.5: Accounts of other workspaces are refused.',
    patches: [
      {
        file: 'lib/plugins/slack/handler.ts',
        find: 'if (teamId !== own.teamId || (user.teamId !== undefined && user.teamId !== own.teamId)) return undefined;',
        replace: 'if (teamId !== own.teamId) return undefined;',
      },
    ],
    suites: ['tests/contract/slack-hostile.test.ts', 'tests/contract/slack.test.ts'],
  },
  {
    name: 'a-click-proves-a-sign-in',
    promise: '0051.6: A click in Slack never satisfies `stepUp`.',
    patches: [
      {
        file: 'lib/plugins/slack/handler.ts',
        find: '  return principal;\n',
        replace: '  return found;\n',
      },
    ],
    suites: ['tests/contract/slack.test.ts', 'tests/contract/slack-hostile.test.ts'],
  },
  {
    name: 'slack-approves-an-effect-that-it-did-not-show',
    promise: '0051.3: An approval has the digest of the effect that the message showed.',
    patches: [
      {
        file: 'lib/plugins/slack/answer.ts',
        find: '? { approved: true, previewDigest: shown.effect }',
        replace: '? { approved: true }',
      },
    ],
    suites: ['tests/contract/slack.test.ts', 'tests/adr/0051-channels.test.ts'],
  },
  {
    name: 'texts-in-slack-mention-people',
    promise: '0051.1: A message has texts without links, mentions or formatting.',
    patches: [
      {
        file: 'lib/plugins/slack/block-text.ts',
        find: ".replaceAll('<', '&lt;')",
        replace: '',
      },
    ],
    suites: ['tests/contract/slack.test.ts', 'tests/contract/slack-hostile.test.ts'],
  },
  {
    name: 'a-message-is-posted-twice',
    promise: '0051.2: A message that was posted right before a crash is found, and not posted again.',
    patches: [
      {
        file: 'lib/plugins/slack/deliver.ts',
        find: '    if (found !== undefined) return found.ts;\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/slack.test.ts', 'tests/adr/0051-channels.test.ts'],
  },
  {
    name: 'the-rate-limit-of-slack-is-ignored',
    promise: '0051.8: If Slack limits the rate, the delivery is tried again, and not before Slack allows it.',
    patches: [
      {
        file: 'lib/plugins/slack/slack-api.ts',
        find: 'return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : 60_000;',
        replace: 'return Number.isFinite(seconds) && seconds >= 0 ? seconds : 60_000;',
      },
    ],
    suites: ['tests/contract/slack.test.ts', 'tests/contract/slack-hostile.test.ts'],
  },
  {
    name: 'an-answered-question-is-sent-by-email',
    promise:
      '0051: A question that was decided before its delivery needs no answer, and no e-mail asks for one.',
    patches: [
      {
        file: 'lib/plugins/email/email-channel.ts',
        find: "      if (reason !== 'outcome' && question.state !== 'open') return undefined;\n",
        replace: '',
      },
    ],
    suites: ['tests/contract/email.test.ts', 'tests/contract/channels-open-question.test.ts'],
  },
  {
    name: 'one-recipient-that-fails-repeats-all',
    promise: '0051.12: A recipient gets no second copy of what was accepted.',
    patches: [
      {
        file: 'lib/plugins/email/email-channel.ts',
        find: '    if (accepted.has(mail.messageId)) return undefined;\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/email.test.ts'],
  },
  {
    name: 'one-recipient-that-is-gone-ends-the-delivery',
    promise: '0051.12: A recipient who cannot be reached does not hold up the others.',
    patches: [
      {
        file: 'lib/plugins/email/email-channel.ts',
        find: 'return failures.find(({ gone }) => !gone) ?? failures[0];',
        replace: 'return failures.find(({ gone }) => gone) ?? failures[0];',
      },
    ],
    suites: ['tests/contract/email.test.ts'],
  },
];
