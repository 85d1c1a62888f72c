import type { PromiseMutant } from '../promise-mutant.ts';

/** Ids, JSON, redaction and claims. */
export const protocolMutants: readonly PromiseMutant[] = [
  {
    name: 'items-of-a-list-keep-their-secret',
    promise: '0011.1',
    patches: [
      {
        file: 'lib/protocol/secrets.ts',
        find: "key === '*' || key === String(index) ? replaceAt(item, rest, replace) : item,",
        replace: 'key === String(index) ? replaceAt(item, rest, replace) : item,',
      },
    ],
    suites: ['tests/unit/secrets.test.ts'],
  },
  {
    name: 'arguments-that-do-not-parse-are-shown',
    promise: '0011.5',
    patches: [
      {
        file: 'lib/protocol/secrets.ts',
        find: "key === undefined || typeof value === 'string' || isOpaque(value)",
        replace: 'key === undefined || isOpaque(value)',
      },
    ],
    suites: ['tests/unit/secrets.test.ts', 'tests/adr/0011-secrets.test.ts'],
  },
  {
    name: 'the-rest-of-a-longer-secret-is-shown',
    promise: '0011.1',
    patches: [
      {
        file: 'lib/protocol/covered-ranges.ts',
        find: 'if (length > 0) cover(',
        replace: 'if (length > 0 && index + 1 - length >= (covered.at(-1)?.to ?? 0)) cover(',
      },
    ],
    suites: ['tests/unit/secrets.test.ts'],
  },
  {
    name: 'a-secret-in-an-address-is-shown',
    promise: '0011.1',
    patches: [
      {
        file: 'lib/protocol/secrets.ts',
        find: 'JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())]',
        replace: 'JSON.stringify(secret).slice(1, -1)]',
      },
    ],
    suites: ['tests/unit/secrets.test.ts'],
  },
  {
    name: 'a-number-is-no-secret',
    promise: '0011.1',
    patches: [
      {
        file: 'lib/protocol/secrets.ts',
        find: "  if (typeof value === 'number') return [String(value)];\n",
        replace: '',
      },
    ],
    suites: ['tests/unit/secrets.test.ts'],
  },
  {
    name: 'json-may-name-a-prototype',
    promise: 'H1: hostile JSON is refused',
    patches: [
      {
        file: 'lib/protocol/reserved-keys.ts',
        find: "    Object.hasOwn(item, '__proto__') ||\n",
        replace: '',
      },
    ],
    suites: [
      'tests/contract/chat-request.test.ts',
      'tests/contract/flow/answers.test.ts',
      'tests/contract/flow/import-checks.test.ts',
    ],
  },
  {
    name: 'json-may-be-nested-without-limit',
    promise: 'H1: hostile JSON is refused',
    patches: [
      {
        file: 'lib/protocol/safe-json.ts',
        find: 'if (depth >= maxDepth) return `is',
        replace: 'if (depth >= maxDepth ** 2) return `is',
      },
    ],
    suites: [
      'tests/contract/chat-request.test.ts',
      'tests/contract/flow/answers.test.ts',
      'tests/contract/flow/import-checks.test.ts',
    ],
  },
  {
    name: 'a-value-that-occurs-twice-is-circular',
    promise: 'D9: an output is stored as plain JSON',
    patches: [
      {
        file: 'lib/protocol/json.ts',
        find: '      while (path.length > 0 && path.at(-1)?.plain !== this) path.pop();\n',
        replace: '',
      },
    ],
    suites: ['tests/unit/json.test.ts'],
  },
  {
    name: 'half-a-surrogate-pair-is-stored',
    promise: 'D9: half of a surrogate pair becomes U+FFFD',
    patches: [
      {
        file: 'lib/protocol/json.ts',
        find: "  if (!json.includes('\\\\ud')) return json;",
        replace: "  if (!json.includes('\\\\uD')) return json;",
      },
    ],
    suites: ['tests/unit/json.test.ts'],
  },
  {
    name: 'a-reserved-key-of-a-result-is-recorded',
    promise: 'D9: reserved keys get brackets',
    patches: [
      {
        file: 'lib/protocol/json.ts',
        find: 'parseWithoutReservedKeys(text, onRenamed)',
        replace: 'JSON.parse(text)',
      },
    ],
    suites: ['tests/unit/json.test.ts', 'tests/e2e/reserved-keys.e2e.test.ts'],
  },
  {
    name: 'the-order-of-keys-counts',
    promise: '0002.8',
    patches: [
      {
        file: 'lib/protocol/json.ts',
        find: '.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))',
        replace: '',
      },
    ],
    suites: [
      'tests/unit/json.test.ts',
      'tests/contract/flow/answers.test.ts',
      'tests/contract/flow/shown-arguments.test.ts',
    ],
  },
  {
    name: 'a-route-name-is-a-chat-id',
    promise: 'H-Ids',
    patches: [
      {
        file: 'lib/protocol/ids/ids.ts',
        find: '/^[A-Za-z0-9_-]{1,128}$/.test(value) && !reserved.has(value)',
        replace: '/^[A-Za-z0-9_-]{1,128}$/.test(value)',
      },
    ],
    suites: ['tests/contract/chat-request.test.ts', 'tests/unit/chat-id.test.ts'],
  },
  {
    name: 'a-chat-id-is-half-as-random',
    promise: '0012.16',
    patches: [
      { file: 'lib/protocol/ids/chat-id.ts', find: 'const idBytes = 16;', replace: 'const idBytes = 8;' },
    ],
    suites: ['tests/unit/chat-id.test.ts'],
  },
  {
    name: 'an-id-may-be-empty',
    promise: 'H-Ids',
    patches: [
      {
        file: 'lib/protocol/ids/ids.ts',
        find: 'value.length >= 1 && value.length <= 256',
        replace: 'value.length <= 256',
      },
    ],
    suites: ['tests/contract/chat-request.test.ts'],
  },
  {
    name: 'a-stream-id-may-have-more-parts',
    promise: 'B18',
    patches: [{ file: 'lib/protocol/ids/stream-id.ts', find: ' || rest.length > 0', replace: '' }],
    suites: [
      'tests/contract/dialects/two-step-ids.test.ts',
      'tests/contract/dialects/two-step-stream.test.ts',
    ],
  },
  {
    name: 'two-people-have-one-vote',
    promise: '0047.1',
    patches: [
      {
        file: 'lib/log/events/recorded-answer-rows.ts',
        find: '`recorded:${approvalId}:${by.id}`',
        replace: '`recorded:${approvalId}`',
      },
    ],
    suites: ['tests/contract/flow/votes.test.ts', 'tests/adr/0047-several-approvals.test.ts'],
  },
  {
    name: 'a-withdrawn-question-is-not-settled',
    promise: '0009.2',
    patches: [
      {
        file: 'lib/log/events/approval-rows.ts',
        find: "'approval-withdrawn': {\n    claim: settled,",
        replace: "'approval-withdrawn': {\n    claim: none,",
      },
    ],
    suites: [
      'tests/contract/flow/expiry.test.ts',
      'tests/contract/flow/answers.test.ts',
      'tests/contract/store.contract.test.ts',
      'tests/adr/0009-log-concurrency.test.ts',
    ],
  },
  {
    name: 'a-late-report-comes-second',
    promise: '0018.5',
    patches: [
      {
        file: 'lib/log/events/call-rows.ts',
        find: "${source === 'late' ? 'reported' : 'resolved'}",
        replace: 'resolved',
      },
    ],
    suites: ['tests/contract/flow/late-outcomes.test.ts', 'tests/contract/flow/resolved-outcomes.test.ts'],
  },
  {
    name: 'a-record-has-whole-error-messages',
    promise: '0011.6',
    patches: [
      {
        file: 'lib/protocol/errors/error-facts.ts',
        find: '  if (quoting.has(name)) return true;\n',
        replace: '  if (quoting.has(name)) return false;\n',
      },
    ],
    suites: ['tests/contract/flow/secrets.test.ts', 'tests/adr/0011-secrets.test.ts'],
  },
];
