import type { PromiseMutant } from '../promise-mutant.ts';

/** Who makes a request: cookies, sessions, keys, and the local user. */
export const identityMutants: readonly PromiseMutant[] = [
  {
    name: 'a-forged-cookie-is-accepted',
    promise: '0012.4: A cookie that is forged or signed by another server gets 401.',
    patches: [
      {
        file: 'lib/server/identity/derive-key.ts',
        find: 'return runtime.isSame(given, signatureOf(text)) ? text : undefined;',
        replace: 'return given.length > 0 ? text : undefined;',
      },
    ],
    suites: ['tests/contract/identity.test.ts', 'tests/adr/0012-identity.test.ts'],
  },
  {
    name: 'an-ended-session-falls-back-to-the-local-user',
    promise: '0012.4: A cookie that has ended gets 401, even where the local user would be accepted.',
    patches: [
      {
        file: 'lib/server/identity/cookie-identity.ts',
        find: '      const { id, principal } = await sessionOf(cookie);\n',
        replace:
          '      const found = await sessionOf(cookie).catch(() => undefined);\n      if (!found) return local && isLocal(request) ? local : null;\n      const { id, principal } = found;\n',
      },
    ],
    suites: ['tests/contract/identity.test.ts', 'tests/contract/sessions.test.ts'],
  },
  {
    name: 'the-end-of-a-session-is-read-from-the-cookie-alone',
    promise: '0012.8: Signing out ends the session on every instance.',
    patches: [
      {
        file: 'lib/server/identity/cookie-identity.ts',
        find: 'if (!session || session.until <= at) throw sessionHasEnded();',
        replace: 'if (!session) return { id, principal: localUser, createdAt: at, lastSeenAt: at, until };',
      },
    ],
    suites: ['tests/contract/sessions.test.ts', 'tests/contract/identity.test.ts'],
  },
  {
    name: 'the-registry-fails-open',
    promise: '0012.9: While the registry cannot be read, a request with a cookie fails with 503.',
    patches: [
      {
        file: 'lib/server/identity/cookie-identity.ts',
        find: "throw new CountersignError('unavailable', what, {}, { cause, transient: true });",
        replace: "throw new CountersignError('unauthenticated', what, {}, { cause });",
      },
    ],
    suites: ['tests/contract/sessions.test.ts', 'tests/adr/0012-identity.test.ts'],
  },
  {
    name: 'a-failed-sweep-ends-sessions',
    promise: '0012.9: A sweep that fails ends no connection.',
    patches: [
      {
        file: 'lib/server/identity/session-watch.ts',
        find: 'watch.isUnknown = true;\n      return false;',
        replace: 'watch.isUnknown = true;\n      return true;',
      },
    ],
    suites: ['tests/unit/session-watch.test.ts', 'tests/contract/sessions.test.ts'],
  },
  {
    name: 'cookies-of-sites-are-not-strict',
    promise: 'H-Identity: The cookie is httpOnly, SameSite=Strict, and Secure except on loopback.',
    patches: [
      {
        file: 'lib/server/identity/cookie-identity.ts',
        find: 'HttpOnly; SameSite=Strict',
        replace: 'HttpOnly; SameSite=Lax',
      },
    ],
    suites: ['tests/contract/identity.test.ts'],
  },
  {
    name: 'a-proxy-makes-everybody-local',
    promise: '0012.5: The local user is only a direct request without a sign of a proxy.',
    patches: [
      {
        file: 'lib/server/identity/peer-stamp.ts',
        find: 'isLoopbackAddress(socket.remoteAddress) && !hasSignOfProxy(headers)',
        replace: 'isLoopbackAddress(socket.remoteAddress)',
      },
    ],
    suites: ['tests/contract/local-user.test.ts', 'tests/contract/identity.test.ts'],
  },
  {
    name: 'the-client-stamps-itself',
    promise: '0012.5: The header of the stamp cannot be set by clients.',
    patches: [
      {
        file: 'lib/server/identity/peer-stamp.ts',
        find: "isLocal: (request) => signer.open(request.headers.get(peerHeader) ?? '') === 'local',",
        replace: "isLocal: (request) => (request.headers.get(peerHeader) ?? '').startsWith('local'),",
      },
    ],
    suites: ['tests/contract/identity.test.ts'],
  },
  {
    name: 'an-unknown-key-is-anonymous',
    promise: '0012.11: An unknown key gets 401.',
    patches: [
      {
        file: 'lib/server/identity/bearer-keys.ts',
        find: "if (!key) throw new CountersignError('unauthenticated', 'This bearer key is invalid.');",
        replace: 'if (!key) return null;',
      },
    ],
    suites: ['tests/contract/bearer-keys.test.ts', 'tests/contract/keys-of-users.test.ts'],
  },
  {
    name: 'a-key-is-its-own-person',
    promise: '0012.11: The four-eyes rule treats a key and a session as one person.',
    patches: [
      {
        file: 'lib/server/identity/api-keys.ts',
        find: 'return `user:${name.trim().toLowerCase().normalize(',
        replace: 'return `user:${name.trim().normalize(',
      },
    ],
    suites: ['tests/contract/keys-of-users.test.ts', 'tests/contract/bearer-keys.test.ts'],
  },
  {
    name: 'a-foreign-session-can-be-ended',
    promise: "S15: 404 for a session that is not this person's.",
    patches: [
      {
        file: 'lib/server/routes/sessions.ts',
        find: 'if (await sessions.end(id, principal.id))',
        replace:
          'if (await sessions.read(id).then((found) => sessions.end(id, found?.principal.id ?? principal.id)))',
      },
    ],
    suites: ['tests/contract/sessions.test.ts'],
  },
  {
    name: 'a-stream-outlives-its-session',
    promise: '0012.8: The feeds of an ended session are closed within a sweep.',
    patches: [
      {
        file: 'lib/server/event-stream/event-stream.ts',
        find: "          leave('The session has ended.');\n          close(controller);\n",
        replace: '',
      },
    ],
    suites: ['tests/unit/event-stream.test.ts'],
  },
];
