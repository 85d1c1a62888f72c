import type { PromiseMutant } from '../promise-mutant.ts';

/** What the two transports send, over HTTP and over sockets: requests, frames, resuming, and what they keep. */
export const transportMutants: readonly PromiseMutant[] = [
  {
    name: 'sse-without-a-last-frame',
    promise: 'H1: A response ends with `data: [DONE]`.',
    patches: [
      {
        file: 'lib/sse/handlers.ts',
        find: 'eventFrames(chunks, frameOf, lastFrame)',
        replace: 'eventFrames(chunks, frameOf)',
      },
    ],
    suites: ['tests/contract/sse-server.test.ts'],
  },
  {
    name: 'resuming-an-idle-chat-fails',
    promise: 'H2: Without an open run, the stream of a chat is answered with 204.',
    patches: [
      {
        file: 'lib/sse/handlers.ts',
        find: 'flow.chats.resume({ principal, chatId }).catch(nullIfNotFound)',
        replace: 'flow.chats.resume({ principal, chatId })',
      },
    ],
    suites: ['tests/contract/sse-server.test.ts', 'tests/contract/stranger.test.ts'],
  },
  {
    name: 'a-page-that-repeats-answers-is-not-stopped',
    promise: 'H10: A page that shows the whole response and repeats its answers gets an error.',
    patches: [
      {
        file: 'lib/server/repeats/repeat-limit.ts',
        find: 'return isThird || clock.now() - at < soonMs;',
        replace: 'return isThird;',
      },
    ],
    suites: ['tests/e2e/repeated-answers.e2e.test.ts'],
  },
  {
    name: 'a-cut-text-is-not-completed',
    promise: 'H10: If a page has only the beginning of a text, its step is sent again.',
    patches: [
      {
        file: 'lib/server/repeats/known-parts.ts',
        find: "return String(text.part.text).startsWith(text.written) ? 'shown' : 'differs';",
        replace: "return 'shown';",
      },
    ],
    suites: ['tests/unit/shown-parts.test.ts'],
  },
  {
    name: 'an-unknown-method-is-not-found',
    promise: 'H1: A method that a path does not have gets 405.',
    patches: [
      {
        file: 'lib/sse/fetch-handler.ts',
        find: 'status: 405,',
        replace: 'status: 404,',
      },
    ],
    suites: ['tests/contract/fetch-handler.test.ts'],
  },
  {
    name: 'a-frame-without-an-id-is-ignored',
    promise: 'H3: A frame that cannot be parsed closes the socket (1008).',
    patches: [
      {
        file: 'lib/bidi/connection.ts',
        find: "    socket.close(1008, 'A frame could not be parsed.');\n",
        replace: '',
      },
    ],
    suites: ['tests/contract/bidi-server.test.ts'],
  },
  {
    name: 'a-request-id-is-used-twice',
    promise: 'H3: A request id that is taken by an open request is refused.',
    patches: [
      {
        file: 'lib/bidi/connection.ts',
        find: "if (frame.type === 'abort' || same) {",
        replace: "if (frame.type === 'abort') {",
      },
    ],
    suites: ['tests/contract/bidi-server.test.ts'],
  },
  {
    name: 'a-socket-has-one-more-open-request',
    promise: 'H3: A socket has at most so many open requests.',
    patches: [
      {
        file: 'lib/bidi/connection.ts',
        find: 'if (open.length >= settings.maxOpenRequests) {',
        replace: 'if (open.length > settings.maxOpenRequests) {',
      },
    ],
    suites: ['tests/contract/bidi-server.test.ts', 'tests/contract/concurrency-limit.test.ts'],
  },
  {
    name: 'a-slow-reader-fills-the-memory',
    promise: 'H3: Each stream of a slow reader buffers at most one message.',
    patches: [
      {
        file: 'lib/bidi/socket-writer.ts',
        find: 'if (socket.bufferedAmount > highWaterBytes) return left.promise;',
        replace: 'if (socket.bufferedAmount > highWaterBytes * joinedBytes) return left.promise;',
      },
    ],
    suites: ['tests/unit/bidi-socket-writer.test.ts'],
  },
  {
    name: 'old-answers-are-sent-again',
    promise: 'H1: The size of a request does not grow with the chat.',
    patches: [
      {
        file: 'lib/client/transport/slim-request.ts',
        find: 'newsOf(steps[newest] ?? [])',
        replace: 'newsOf(steps.flat())',
      },
    ],
    suites: ['tests/unit/slim-request.test.ts'],
  },
  {
    name: 'automatic-approvals-are-sent-as-answers',
    promise: 'H1: A slim request has only what the person decided.',
    patches: [
      {
        file: 'lib/client/transport/slim-request.ts',
        find: "|| typeof approved !== 'boolean' || isAutomatic === true) return undefined;",
        replace: "|| typeof approved !== 'boolean') return undefined;",
      },
    ],
    suites: ['tests/unit/slim-request.test.ts'],
  },
  {
    name: 'an-answer-names-an-edited-message',
    promise: 'H7: Only a user message can be edited.',
    patches: [
      {
        file: 'lib/client/transport/slim-request.ts',
        find: '...(isEdit && named(messageId)),',
        replace: '...named(messageId),',
      },
    ],
    suites: ['tests/unit/slim-request.test.ts'],
  },
  {
    name: 'a-reason-is-not-sent',
    promise: 'H1: A slim answer has the reason that the person gave.',
    patches: [
      {
        file: 'lib/client/transport/slim-request.ts',
        find: "reason: typeof reason === 'string' ? reason : undefined };",
        replace: '};',
      },
    ],
    suites: ['tests/unit/slim-request.test.ts'],
  },
  {
    name: 'answers-in-old-steps-of-a-history-count-as-outcomes',
    promise: 'H1: Only the end of a full history is read, and earlier messages have no effect.',
    patches: [
      {
        file: 'lib/server/requests/full-history.ts',
        find: 'answerOf(part, index > newestStep) ?? []',
        replace: 'answerOf(part, index >= 0) ?? []',
      },
    ],
    suites: ['tests/contract/chat-request.test.ts'],
  },
  {
    name: 'shown-arguments-are-not-compared',
    promise: 'H1: The arguments that a full history shows must be those of the question.',
    patches: [
      {
        file: 'lib/server/requests/full-history.ts',
        find: 'shownInput: part.input,',
        replace: '',
      },
    ],
    suites: ['tests/contract/chat-request.test.ts', 'tests/contract/flow/shown-arguments.test.ts'],
  },
  {
    name: 'dangerous-keys-are-accepted',
    promise: 'H1: Values with `__proto__` are refused.',
    patches: [
      {
        file: 'lib/server/requests/answers.ts',
        find: "  if (input !== undefined) assertSafeJson(input, 'The edited input');\n  if (filledIn",
        replace: '  if (filledIn',
      },
    ],
    suites: ['tests/contract/chat-request.test.ts', 'tests/contract/approval-handlers.test.ts'],
  },
  {
    name: 'more-answers-than-a-hundred',
    promise: 'H1: A slim request has at most 100 answers.',
    patches: [
      {
        file: 'lib/server/requests/answers.ts',
        find: 'if (value.length > maxItems)',
        replace: 'if (value.length > maxItems + 1)',
      },
    ],
    suites: ['tests/contract/chat-request.test.ts'],
  },
  {
    name: 'a-message-of-any-role',
    promise: 'T12: The client cannot write messages of the assistant or the system.',
    patches: [
      {
        file: 'lib/server/requests/user-message.ts',
        find: "role: z.literal('user', { error: roleError }),",
        replace: 'role: z.string({ error: roleError }),',
      },
    ],
    suites: ['tests/contract/chat-request.test.ts'],
  },
];
