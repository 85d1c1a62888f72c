import type { PromiseMutant } from '../promise-mutant.ts';

/** Which requests are served, up to which size and number, and what a refusal says. */
export const serverMutants: readonly PromiseMutant[] = [
  {
    name: 'every-host-is-allowed',
    promise: '0012.6: An unknown Host is refused, even with the cookie.',
    patches: [
      {
        file: 'lib/server/guard.ts',
        find: "return name === '*' || name === host || name === hostNameOf(host);",
        replace: "return name === '*' || host.startsWith(name) || name === hostNameOf(host);",
      },
    ],
    suites: ['tests/contract/guard.test.ts', 'tests/adr/0012-identity.test.ts'],
  },
  {
    name: 'every-origin-is-allowed',
    promise: '0012.6: The Origin of another site that is not listed is refused, even with the cookie.',
    patches: [
      {
        file: 'lib/server/guard.ts',
        find: 'return parsed.host === new URL(',
        replace: 'return host.startsWith(parsed.hostname) || parsed.host === new URL(',
      },
    ],
    suites: ['tests/contract/guard.test.ts', 'tests/contract/allowed-origins.test.ts'],
  },
  {
    name: 'the-browsers-mark-is-ignored',
    promise: '0012.6: Requests that the browser marks as made by another site are refused.',
    patches: [
      {
        file: 'lib/server/guard.ts',
        find: "site !== null && site !== 'same-origin') {",
        replace: "site === 'cross-site' && request.headers.has('cookie')) {",
      },
    ],
    suites: ['tests/contract/guard.test.ts', 'tests/adr/0012-identity.test.ts'],
  },
  {
    name: 'a-form-is-taken-for-json',
    promise: '0012.6: A form is refused, even with the cookie.',
    patches: [
      {
        file: 'lib/server/guard.ts',
        find: String.raw`if (!/^application\/json\s*(;|$)/i.test(type ?? '')) {`,
        replace: "if (!/json/i.test(type ?? '')) {",
      },
    ],
    suites: ['tests/contract/guard.test.ts', 'tests/adr/0012-identity.test.ts'],
  },
  {
    name: 'one-more-request-than-the-limit',
    promise:
      '0012.17: A principal at its limit of open feeds, sockets or requests gets 429 for the next one.',
    patches: [
      {
        file: 'lib/server/limits/concurrency-limit.ts',
        find: 'if (before >= most) {',
        replace: 'if (before > most) {',
      },
    ],
    suites: ['tests/unit/concurrency-limit.test.ts', 'tests/contract/concurrency-limit.test.ts'],
  },
  {
    name: 'a-slot-is-released-twice',
    promise: '0012.17: A slot is freed when one of them ends, once.',
    patches: [
      {
        file: 'lib/server/limits/concurrency-limit.ts',
        find: '        if (isReleased) return;\n',
        replace: '',
      },
    ],
    suites: ['tests/unit/concurrency-limit.test.ts', 'tests/contract/concurrency-limit.test.ts'],
  },
  {
    name: 'a-stream-frees-its-slot-when-it-begins',
    promise: '0012.17: A request is in progress until its response has ended.',
    patches: [
      {
        file: 'lib/server/limits/counted-response.ts',
        find: 'if (!isKept) release();',
        replace: 'release();',
      },
    ],
    suites: ['tests/contract/concurrency-limit.test.ts'],
  },
  {
    name: 'a-failed-request-keeps-its-slot',
    promise: '0012.17: A slot is freed when a request ends.',
    patches: [
      {
        file: 'lib/server/route.ts',
        find: '    slot.release();\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/concurrency-limit.test.ts'],
  },
  {
    name: 'bodies-are-read-to-their-end',
    promise: 'H-Errors: A body that is larger than the limit gets 413.',
    patches: [
      {
        file: 'lib/server/requests/read-text.ts',
        find: 'if (size > maxBytes) throw tooLarge(maxBytes);',
        replace: 'if (size > maxBytes && bytes.byteLength === 0) throw tooLarge(maxBytes);',
      },
    ],
    suites: ['tests/contract/guard.test.ts'],
  },
  {
    name: 'a-body-of-the-limit-is-refused',
    promise: 'H-Configuration: A body may have as many bytes as the limit says.',
    patches: [
      {
        file: 'lib/server/requests/read-text.ts',
        find: 'if (size > maxBytes) throw tooLarge(maxBytes);',
        replace: 'if (size >= maxBytes) throw tooLarge(maxBytes);',
      },
    ],
    suites: ['tests/contract/body-limits.test.ts', 'tests/contract/chat-request.test.ts'],
  },
  {
    name: 'characters-are-counted-instead-of-bytes',
    promise: 'H1: The limits of a message count bytes in UTF-8.',
    patches: [
      {
        file: 'lib/server/requests/user-message.ts',
        find: 'return texts.reduce((sum, text) => sum + runtime.utf8Length(text), 0);',
        replace: 'return texts.reduce((sum, text) => sum + text.length, 0);',
      },
    ],
    suites: ['tests/contract/chat-request.test.ts', 'tests/contract/body-limits.test.ts'],
  },
  {
    name: 'a-body-that-was-read-before-has-no-limit',
    promise: 'H1: The same limits apply to a body that a framework has read before.',
    patches: [
      {
        file: 'lib/server/requests/read-json.ts',
        find: 'limited(bodyReadBefore(context), maxBytes)',
        replace: 'bodyReadBefore(context)',
      },
    ],
    suites: ['tests/contract/body-read-before.test.ts'],
  },
  {
    name: 'internal-errors-reach-the-client',
    promise: 'H-Errors: Any other error is logged, and sent as `internal` without details.',
    patches: [
      {
        file: 'lib/server/errors.ts',
        find: "body: { error: { code: 'internal', message: internalMessage } } };",
        replace:
          "body: { error: { code: 'internal', message: error instanceof Error ? error.message : internalMessage } } };",
      },
    ],
    suites: ['tests/contract/sse-server.test.ts', 'tests/contract/approval-handlers.test.ts'],
  },
  {
    name: 'a-strangers-chat-is-forbidden',
    promise:
      '0012.2: To another principal a chat looks exactly as if it did not exist. A 403 would reveal the difference.',
    patches: [
      {
        file: 'lib/rights/permissions.ts',
        find: 'throw noSuchChat(chatId);',
        replace:
          "if (head) throw new CountersignError('forbidden', 'This chat is not yours.', { chatId });\n  throw noSuchChat(chatId);",
      },
    ],
    suites: ['tests/contract/stranger.test.ts', 'tests/contract/sse-server.test.ts'],
  },
  {
    name: 'retry-after-is-rounded-down',
    promise: 'H-Errors: A client that waits as long as `retry-after` says is not refused again.',
    patches: [
      {
        file: 'lib/server/errors.ts',
        find: 'Math.max(1, Math.ceil(retryAfterMs / 1_000))',
        replace: 'Math.floor(retryAfterMs / 1_000)',
      },
    ],
    suites: ['tests/contract/approval-handlers.test.ts', 'tests/contract/sse-server.test.ts'],
  },
  {
    name: 'responses-are-cached',
    promise: 'H-Errors: No response may be cached unless it says otherwise.',
    patches: [
      {
        file: 'lib/server/cross-origin.ts',
        find: "if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');",
        replace: '',
      },
    ],
    suites: ['tests/contract/approval-handlers.test.ts', 'tests/contract/stranger.test.ts'],
  },
  {
    name: 'every-page-reads-responses',
    promise: 'H-Identity: Only pages of listed origins may read responses.',
    patches: [
      {
        file: 'lib/server/cross-origin.ts',
        find: 'if (origin !== null && isListedOrigin(origin, settings)) {',
        replace: 'if (origin !== null) {',
      },
    ],
    suites: ['tests/contract/allowed-origins.test.ts'],
  },
  {
    name: 'the-reader-of-a-client-that-left-goes-on',
    promise: 'H2: A client that disconnects detaches its reader.',
    patches: [
      {
        file: 'lib/server/event-stream/event-stream.ts',
        find: "        signal.addEventListener('abort', onAbort);\n",
        replace: '',
      },
    ],
    suites: ['tests/unit/event-stream.test.ts', 'tests/contract/concurrency-limit.test.ts'],
  },
  {
    name: 'comments-pile-up-for-a-client-that-does-not-read',
    promise: 'H1: No comments are queued for a client that does not read.',
    patches: [
      {
        file: 'lib/server/event-stream/event-stream.ts',
        find: 'if (controller.desiredSize === 0) controller',
        replace: 'controller',
      },
    ],
    suites: ['tests/unit/event-stream.test.ts'],
  },
  {
    name: 'a-page-has-more-than-a-hundred-items',
    promise: 'H9: `limit` is a number from 1 to 100.',
    patches: [
      {
        file: 'lib/server/requests/page-query.ts',
        find: 'Number(text) >= 1 && Number(text) <= maxLimit',
        replace: 'Number(text) >= 0 && Number(text) <= maxLimit',
      },
    ],
    suites: ['tests/contract/approval-handlers.test.ts', 'tests/contract/sessions.test.ts'],
  },
];
