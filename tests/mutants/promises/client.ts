import type { PromiseMutant } from '../promise-mutant.ts';

/** What a page knows of a chat, and what it shows as sent. */
export const clientMutants: readonly PromiseMutant[] = [
  {
    name: 'a-message-that-did-not-arrive-cancels-the-question',
    promise: 'H8: A message cancels an open question when the server has received it.',
    patches: [
      {
        file: 'lib/client/chat/message-parts.ts',
        find: 'return lastReplyIn(messages)?.parts.find(isOpenPart);',
        replace: 'return messages.at(-1)?.parts.find(isOpenPart);',
      },
      {
        file: 'lib/client/chat/open-question.ts',
        find: 'return lastReplyIn(messages)?.parts.filter(isOpenPart) ?? [];',
        replace: 'return messages.at(-1)?.parts.filter(isOpenPart) ?? [];',
      },
    ],
    suites: ['tests/e2e/sse-use-approval-chat.e2e.test.tsx'],
  },
  {
    name: 'a-double-click-replaces-a-decision',
    promise: '0038: The second half of a double click does not replace the first.',
    patches: [
      {
        file: 'lib/client/chat/live/given-answers.ts',
        find: '      if (closed.has(answer.id)) return false;\n',
        replace: '',
      },
    ],
    suites: ['tests/unit/react-chat-given-answers.test.ts'],
  },
  {
    name: 'a-decision-counts-as-received-from-the-last-time',
    promise: '0038: An answer is shown as received only if the server has replied to it.',
    patches: [
      {
        file: 'lib/client/chat/live/given-answers.ts',
        find: '      replied.delete(answer.id);\n',
        replace: '',
      },
    ],
    suites: ['tests/unit/react-chat-given-answers.test.ts'],
  },
  {
    name: 'an-answer-is-shown-as-given-before-it-arrived',
    promise: '0038.1: An answer is shown as sent until the server has confirmed it.',
    patches: [
      {
        file: 'lib/client/chat/live/live-parts.ts',
        find: 'return { ...live, sending: withAnswer(live.sending, event.id, event.answer) };',
        replace: 'return { ...live, answers: withAnswer(live.answers, event.id, event.answer) };',
      },
    ],
    suites: ['tests/unit/react-chat-live-parts.test.ts'],
  },
  {
    name: 'an-answer-that-lost-stays-as-sent',
    promise: '0038: If another answer was first, the one in the log is shown.',
    patches: [
      {
        file: 'lib/client/chat/live/live-parts.ts',
        find: '        ...(event.question.answer && { sending: withoutAnswers(live.sending, [event.question.id]) }),\n',
        replace: '',
      },
    ],
    suites: ['tests/unit/react-chat-live-parts.test.ts', 'tests/unit/react-chat-overruled.test.tsx'],
  },
  {
    name: 'a-refused-answer-is-shown-as-given',
    promise: '0038: A refused answer does not count.',
    patches: [
      {
        file: 'lib/client/chat/live/live-parts.ts',
        find: 'return { ...live, answers: withoutAnswers(live.answers, event.ids) };',
        replace: 'return live;',
      },
    ],
    suites: ['tests/unit/react-chat-live-parts.test.ts'],
  },
  {
    name: 'another-persons-answer-is-shown-as-ones-own',
    promise: '0038: The answer from the server replaces the one that was given on the page.',
    patches: [
      {
        file: 'lib/client/chat/live/known-answers.ts',
        find: 'if (isSame && before.at === shown.at && before.by?.id === shown.by?.id) return [];',
        replace: 'if (before) return [];',
      },
    ],
    suites: ['tests/unit/react-chat-live-parts.test.ts', 'tests/unit/react-use-approval-chat.test.tsx'],
  },
  {
    name: 'any-reply-confirms-an-opposite-answer',
    promise: 'T2: A response begins with the answer that counts, which may be another one.',
    patches: [
      {
        file: 'lib/client/chat/requests/watched-transport.ts',
        find: 'if (sent.get(approvalId) === approved) return acknowledge([approvalId]);',
        replace: 'if (sent.has(approvalId)) return acknowledge([approvalId]);',
      },
    ],
    suites: ['tests/unit/react-chat-overruled.test.tsx', 'tests/unit/react-use-approval-chat.test.tsx'],
  },
  {
    name: 'a-question-of-an-earlier-message-is-open',
    promise: 'T9: Only the question of the last message can be answered.',
    patches: [
      {
        file: 'lib/client/chat/chat-items.ts',
        find: 'if (isLast || !isOpenPart(part)) return call;',
        replace: 'return call;',
      },
    ],
    suites: ['tests/unit/react-chat-items.test.ts'],
  },
  {
    name: 'calls-are-shown-twice-while-they-run',
    promise: 'T6: A call is shown by its reports only until a message has it.',
    patches: [
      {
        file: 'lib/client/chat/chat-items.ts',
        find: '&& !shown.has(toolCallId) && !past.has(toolCallId),',
        replace: '&& !past.has(toolCallId),',
      },
    ],
    suites: ['tests/unit/react-chat-items.test.ts'],
  },
  {
    name: 'a-replayed-draft-is-shown-twice',
    promise: 'H2: A resumed response may send the draft again, and it is shown once.',
    patches: [
      {
        file: 'lib/client/chat/live/draft.ts',
        find: "return draft.map((text) => ({ ...text, brought: '' }));",
        replace: 'return draft;',
      },
    ],
    suites: ['tests/unit/react-chat-draft.test.ts', 'tests/unit/react-chat-live-parts.test.ts'],
  },
  {
    name: 'a-reset-keeps-the-draft',
    promise: 'S3: A reset drops the text.',
    patches: [
      {
        file: 'lib/client/chat/live/draft.ts',
        find: '  if (reset) return draft.filter((text) => text.textId !== textId);\n',
        replace: '',
      },
    ],
    suites: ['tests/unit/react-chat-draft.test.ts'],
  },
  {
    name: 'a-draft-stays-beside-its-part',
    promise: 'S3: A draft is dropped when its part has arrived.',
    patches: [
      {
        file: 'lib/client/chat/live/draft.ts',
        find: "part.type === 'text' && positionOf(part) === position && part.text.startsWith(text),",
        replace: "part.type === 'text' && positionOf(part) === position && part.text === '',",
      },
    ],
    suites: ['tests/unit/react-chat-draft.test.ts'],
  },
  {
    name: 'a-replay-shows-answered-questions-as-open',
    promise: 'H2: During a replay the page does not go back to what it has shown before.',
    patches: [
      {
        file: 'lib/client/chat/requests/messages-during-replay.ts',
        find: 'return same === undefined || progress[same.state] < progress[call.state];',
        replace: 'return same === undefined;',
      },
    ],
    suites: ['tests/unit/react-chat-messages-during-replay.test.ts'],
  },
  {
    name: 'a-failed-run-is-followed',
    promise: 'H7: A retry runs a failed turn again.',
    patches: [
      {
        file: 'lib/client/chat/requests/next-step.ts',
        find: "return stored.run.status === 'failed' || isUnanswered ?",
        replace: 'return isUnanswered ?',
      },
    ],
    suites: ['tests/unit/react-chat-recovery.test.ts', 'tests/unit/react-use-approval-chat.test.tsx'],
  },
  {
    name: 'a-message-that-did-not-arrive-is-not-sent-again',
    promise: 'H7: A retry sends a message again that did not arrive.',
    patches: [
      {
        file: 'lib/client/chat/requests/next-step.ts',
        find: "if (stored === undefined || (lastUser !== undefined && !arrived)) return 'send-again';",
        replace: "if (stored === undefined) return 'send-again';",
      },
    ],
    suites: ['tests/unit/react-chat-recovery.test.ts', 'tests/unit/react-use-approval-chat.test.tsx'],
  },
  {
    name: 'a-late-answer-is-shown-as-refused',
    promise: 'H-Errors: A question that was settled before is shown as settled.',
    patches: [
      {
        file: 'lib/client/chat/requests/request-failure.ts',
        find: "new Set(['already-answered', 'superseded', 'expired'])",
        replace: "new Set(['already-answered', 'superseded'])",
      },
    ],
    suites: ['tests/unit/react-chat-failure.test.ts'],
  },
  {
    name: 'an-unknown-outcome-is-shown-as-failed',
    promise: '0018: A call whose outcome is unknown is not shown as failed.',
    patches: [
      {
        file: 'lib/client/calls/tool-call.ts',
        find: "return parseStatus(part.toolMetadata?.countersign).outcome ?? 'failed';",
        replace: "return 'failed';",
      },
    ],
    suites: ['tests/unit/react-chat-tool-call.test.ts', 'tests/unit/react-tool-card.test.tsx'],
  },
  {
    name: 'a-withdrawn-question-is-shown-as-denied',
    promise: '0022.7: How a question ended is read from a field: withdrawn is not denied.',
    patches: [
      {
        file: 'lib/client/calls/tool-call.ts',
        find: "return withdrawalOf(part) ? 'withdrawn' : 'denied';",
        replace: "return 'denied';",
      },
    ],
    suites: ['tests/unit/react-chat-tool-call.test.ts'],
  },
];
