import type { PromiseMutant } from '../promise-mutant.ts';

/** The two-step stream, the tool events, the chat socket, and the Responses gateway. */
export const dialectMutants: readonly PromiseMutant[] = [
  {
    name: 'two-step-resumes-with-the-last-frame-again',
    promise: 'B17: A client resumes after the last frame that it has.',
    patches: [
      {
        file: 'lib/plugins/two-step-stream/frame-id.ts',
        find: 'id.index > other.index)',
        replace: 'id.index >= other.index)',
      },
    ],
    suites: [
      'tests/contract/dialects/two-step-reconnect.test.ts',
      'tests/contract/dialects/two-step-ids.test.ts',
    ],
  },
  {
    name: 'two-step-takes-an-id-of-another-stream',
    promise: 'B17: The id of a frame of another stream is no place in this one.',
    patches: [
      {
        file: 'lib/plugins/two-step-stream/frame-id.ts',
        find: 'return match?.[1] === markOf(stream)\n',
        replace: 'return match !== null && stream !== undefined\n',
      },
    ],
    suites: [
      'tests/unit/frame-id.test.ts',
      'tests/contract/dialects/two-step-reconnect.test.ts',
      'tests/contract/dialects/two-step-stream.test.ts',
    ],
  },
  {
    name: 'two-step-keeps-text-that-was-broken-off',
    promise: 'B19: A step that begins again takes the place of its text.',
    patches: [
      {
        file: 'lib/plugins/two-step-stream/current-text.ts',
        find: 'return mustReset ? [resetAt(event.seq, turnText.text)] : [];',
        replace: 'return mustReset ? [] : [];',
      },
    ],
    suites: ['tests/contract/dialects/two-step-restarts.test.ts'],
  },
  {
    name: 'two-step-leaves-a-pending-box',
    promise: 'B4',
    patches: [
      {
        file: 'lib/plugins/two-step-stream/held-calls.ts',
        find: "      case 'tool-requested':\n        return [];",
        replace: "      case 'tool-requested':\n        return events;",
      },
    ],
    suites: ['tests/contract/dialects/two-step-approvals.test.ts'],
  },
  {
    name: 'chat-socket-never-completes-at-a-question',
    promise: 'D10',
    patches: [
      {
        file: 'lib/plugins/chat-socket/projection.ts',
        find: 'waitingText(event, hasText) }, ...complete(turn)];',
        replace: 'waitingText(event, hasText) }];',
      },
    ],
    suites: ['tests/contract/dialects/chat-socket-turns.test.ts'],
  },
  {
    name: 'two-step-fails-without-an-error',
    promise: 'B6: The error of a stream is sent, with no call.',
    patches: [
      {
        file: 'lib/plugins/two-step-stream/projection.ts',
        find: "          { type: 'error', data: { tool_call_id: null, message: event.error } },\n",
        replace: '',
      },
    ],
    suites: [
      'tests/contract/dialects/two-step-stream-mapping.test.ts',
      'tests/contract/dialects/two-step-stream.test.ts',
    ],
  },
  {
    name: 'two-step-errors-do-not-name-their-call',
    promise: 'B6: The error of a tool names its call.',
    patches: [
      {
        file: 'lib/plugins/two-step-stream/projection.ts',
        find: "return { type: 'error', data: { tool_call_id: call.requested.toolCallId, message } };",
        replace: "return { type: 'error', data: { tool_call_id: null, message } };",
      },
    ],
    suites: [
      'tests/contract/dialects/two-step-stream-mapping.test.ts',
      'tests/contract/dialects/two-step-stream.test.ts',
    ],
  },
  {
    name: 'tool-events-end-a-call-that-did-not-begin',
    promise: 'A12: A call has one start, and then exactly one end or error.',
    patches: [
      {
        file: 'lib/plugins/tool-events/projection.ts',
        find: 'return [...startOf(call), isResult ?',
        replace: 'return [isResult ?',
      },
    ],
    suites: [
      'tests/contract/dialects/tool-events-mapping.test.ts',
      'tests/contract/dialects/tool-events-failures.test.ts',
    ],
  },
  {
    name: 'tool-events-send-large-results-whole',
    promise: 'A6: A longer output is sent by reference.',
    patches: [
      {
        file: 'lib/plugins/tool-events/projection.ts',
        find: 'return storedText || isLongerJson(output, mostOutputBytes)',
        replace: 'return storedText',
      },
    ],
    suites: ['tests/contract/dialects/tool-events-results.test.ts'],
  },
  {
    name: 'tool-events-retry-a-denial',
    promise: 'A11: `retryable` says whether a person may try again, and is false by default.',
    patches: [
      {
        file: 'lib/plugins/tool-events/projection.ts',
        find: "end.type === 'tool-failed' ? end : { retryable: false, wasRetried: false };",
        replace: "end.type === 'tool-failed' ? end : { retryable: true, wasRetried: false };",
      },
    ],
    suites: [
      'tests/contract/dialects/tool-events-approvals.test.ts',
      'tests/contract/dialects/tool-events-retry.test.ts',
    ],
  },
  {
    name: 'a-stored-conversation-keeps-what-was-cut',
    promise: 'A20: A stored conversation has the messages that count.',
    patches: [
      {
        file: 'lib/plugins/tool-events/stored-conversation.ts',
        find: 'if (index !== -1) messages.length = index;',
        replace: 'if (index !== -1) messages.length = index + 1;',
      },
    ],
    suites: [
      'tests/contract/dialects/tool-events-stored.test.ts',
      'tests/contract/dialects/tool-events-stream.test.ts',
    ],
  },
  {
    name: 'chat-socket-cuts-a-byte-too-late',
    promise: 'D19: Longer results are cut to so many bytes of UTF-8.',
    patches: [
      {
        file: 'lib/plugins/chat-socket/tool-text.ts',
        find: 'if (length <= maxBytes) return { text };',
        replace: 'if (length <= maxBytes + 1) return { text };',
      },
    ],
    suites: ['tests/unit/dialects/cut-text.test.ts'],
  },
  {
    name: 'chat-socket-counts-code-units',
    promise: 'D19: Longer results are cut to so many bytes of UTF-8.',
    patches: [
      {
        file: 'lib/plugins/chat-socket/tool-text.ts',
        find: 'const length = runtime.utf8Length(text);',
        replace: 'const { length } = text;',
      },
    ],
    suites: ['tests/unit/dialects/cut-text.test.ts'],
  },
  {
    name: 'responses-clients-retry-refusals',
    promise: 'C16: Refusals say that a retry does not help.',
    patches: [
      {
        file: 'lib/plugins/responses/errors.ts',
        find: "headers: status === 429 ? headers : { 'x-should-retry': 'false' },",
        replace: 'headers,',
      },
    ],
    suites: ['tests/contract/dialects/responses-errors.test.ts'],
  },
  {
    name: 'responses-that-were-not-stored-are-read',
    promise: '0014: A response to a request with `store: false` is not found.',
    patches: [
      {
        file: 'lib/plugins/responses/routes/read-response.ts',
        find: '  if (ofTurn.store === false) refuse(id);\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/dialects/responses-read.test.ts'],
  },
  {
    name: 'a-response-in-the-middle-erases-a-chat',
    promise: '0014: A chat is erased only by its last response.',
    patches: [
      {
        file: 'lib/plugins/responses/routes/response-routes.ts',
        find: 'if (!isLast) {',
        replace: 'if (!isLast && id.length === 0) {',
      },
    ],
    suites: ['tests/contract/dialects/responses-read.test.ts'],
  },
];
