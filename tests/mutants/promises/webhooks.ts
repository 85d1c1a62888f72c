import type { PromiseMutant } from '../promise-mutant.ts';

/** Signed requests to endpoints of others, and where they may go. */
export const webhookMutants: readonly PromiseMutant[] = [
  {
    name: 'the-time-is-not-signed',
    promise: '0043.12: The signature covers id, time and body.',
    patches: [
      {
        file: 'lib/plugins/webhooks/sign.ts',
        find: `.update(\`\${id}.\${timestamp}.\${body}\`)`,
        replace: `.update(\`\${id}.\${body}\`)`,
      },
    ],
    suites: ['tests/contract/webhooks.test.ts'],
  },
  {
    name: 'only-the-first-secret-signs',
    promise: '0043.12: A request is signed with every secret.',
    patches: [
      {
        file: 'lib/plugins/webhooks/sign.ts',
        find: "signatures.join(' ')",
        replace: "signatures[0] ?? ''",
      },
    ],
    suites: ['tests/contract/webhooks.test.ts'],
  },
  {
    name: 'a-short-secret-is-accepted',
    promise: '0043.12: A secret has 24 to 64 bytes.',
    patches: [
      {
        file: 'lib/plugins/webhooks/sign.ts',
        find: 'key.length >= leastBytes && key.length',
        replace: 'key.length',
      },
    ],
    suites: ['tests/contract/webhooks.test.ts', 'tests/contract/app-webhook.test.ts'],
  },
  {
    name: 'one-public-address-is-enough',
    promise: '0043.13: If any address of a name is private, requests do not go to that name.',
    patches: [
      {
        file: 'lib/plugins/webhooks/post.ts',
        find: 'if (!addresses.every(({ address }) => isAllowed(address)))',
        replace: 'if (!addresses.some(({ address }) => isAllowed(address)))',
      },
    ],
    suites: ['tests/contract/webhooks.test.ts'],
  },
  {
    name: 'an-address-in-the-url-is-not-checked',
    promise: '0043.13: Requests do not reach private addresses.',
    patches: [
      {
        file: 'lib/plugins/webhooks/post.ts',
        find: '  if (isIP(hostname) !== 0 && !isAllowed(hostname)) throw new AddressRefused();\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/webhooks.test.ts', 'tests/adr/0043-subscriptions.test.ts'],
  },
  {
    name: 'metadata-services-are-public',
    promise: '0043.13: Requests do not reach link-local addresses.',
    patches: [
      {
        file: 'lib/plugins/webhooks/public-address.ts',
        find: "  ['169.254.0.0', 16],\n",
        replace: '',
      },
    ],
    suites: ['tests/contract/webhooks.test.ts'],
  },
  {
    name: 'a-private-range-is-too-small',
    promise: '0043.13: Requests do not reach addresses of private networks.',
    patches: [
      {
        file: 'lib/plugins/webhooks/public-address.ts',
        find: "['172.16.0.0', 12]",
        replace: "['172.16.0.0', 16]",
      },
    ],
    suites: ['tests/contract/webhooks.test.ts'],
  },
  {
    name: 'mapped-addresses-are-public',
    promise: '0043.13: Requests do not reach IPv6 addresses that lead to private ones.',
    patches: [
      {
        file: 'lib/plugins/webhooks/public-address.ts',
        find: "return global6.check(address, 'ipv6') && !refused6.check(address, 'ipv6');",
        replace: "return !refused6.check(address, 'ipv6');",
      },
    ],
    suites: ['tests/contract/webhooks.test.ts'],
  },
  {
    name: 'a-redirect-counts-as-delivered',
    promise: '0043: Every status from 200 to 299 counts as delivered, and no other.',
    patches: [
      {
        file: 'lib/plugins/webhooks/webhook.ts',
        find: 'if (status >= 200 && status <= 299) return undefined;',
        replace: 'if (status >= 200 && status < 400) return undefined;',
      },
    ],
    suites: ['tests/contract/webhooks.test.ts'],
  },
  {
    name: 'a-gone-endpoint-is-asked-again',
    promise: '0043: After 410 the event is not sent again.',
    patches: [
      {
        file: 'lib/plugins/webhooks/webhook.ts',
        find: '    gone: status === 410 ? true : undefined,\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/webhooks.test.ts'],
  },
  {
    name: 'retry-after-is-ignored',
    promise: '0043: An event is not sent again before the time in `Retry-After`.',
    patches: [
      {
        file: 'lib/plugins/webhooks/webhook.ts',
        find: '    retryAfterMs: retryMs,\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/webhooks.test.ts'],
  },
  {
    name: 'an-endpoint-takes-as-long-as-it-wants',
    promise: '0043: A request takes at most 10 s.',
    patches: [
      {
        file: 'lib/plugins/webhooks/post.ts',
        find: 'AbortSignal.any([signal, AbortSignal.timeout(options.limitMs ?? limitMs)])',
        replace: 'signal',
      },
    ],
    suites: ['tests/contract/webhooks.test.ts'],
  },
];
