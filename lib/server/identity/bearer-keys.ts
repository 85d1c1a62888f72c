import { CountersignError } from '../../protocol/index.ts';
import { runtime } from '../../runtime/runtime.ts';
import { type ApiKeys, digestOf, parseApiKeys } from './api-keys.ts';
import type { Authorize } from './authorize.ts';

/**
 * Identifies programs by bearer keys: `authorization: Bearer <key>`. A key belongs to a user, and a request with
 * it acts as that user, without a role unless the key has one. Returns `null` for requests without such a header,
 * so that the host can then try another identity. If no keys are set, it returns `null` for all requests, because
 * some clients always send a key.
 *
 * @param list keys of at least 16 characters. As a string, `name:key, name:key`: the name ends at the first
 * colon and is the user's (`userIdOf`); a key without a name is its own principal. A string that starts with
 * `[` is JSON, for roles and for names with colons or commas:
 * `[{ "name": "Ben", "key": "…", "role": "manager" }]`
 * @throws CountersignError `invalid-settings` at startup for a key that is too short or occurs twice, naming
 * its position in the list; `unauthenticated` for a key that is not in the list
 * @source H-Identity, ADR 0012
 */
export function createBearerIdentity(list: ApiKeys): Authorize {
  const keys = parseApiKeys(list);
  return (request) => {
    const given = /^Bearer(?=\s|$)\s*(.*)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    if (given === undefined || keys.length === 0) return null;
    const digest = digestOf(given);
    // All keys are compared, so that the time reveals nothing.
    const key = keys.filter((known) => runtime.isSame(known.digest, digest))[0];
    if (!key) throw new CountersignError('unauthenticated', 'This bearer key is invalid.');
    return key.principal;
  };
}

/**
 * The ids that the users of these keys had in earlier versions, for the flow's `formerIds`: `key:ben` was the
 * principal of `ben:…`, which is now `user:ben`.
 *
 * @throws CountersignError `invalid-settings`, like `createBearerIdentity`
 */
export function formerKeyIds(list: ApiKeys): Readonly<Record<string, string>> {
  const renamed = parseApiKeys(list).filter(({ formerId, principal }) => formerId !== principal.id);
  return Object.fromEntries(renamed.map(({ formerId, principal }) => [formerId, principal.id]));
}
