import { timingSafeEqual } from 'node:crypto';
import { CountersignError } from '../../protocol/index.ts';
import { type ApiKeys, digestOf, parseApiKeys } from './api-keys.ts';
import type { Authorize } from './authorize.ts';

/**
 * Identity by bearer keys, for programs: `authorization: Bearer <key>`. A key belongs to a user, and whoever brings it
 * is that user, without a role unless the key has one. A request without such a header is nobody's, so another way to
 * identify may follow; so is every request where no keys are set, since some clients always send a key.
 *
 * @param list keys of at least 16 characters. As text, `name:key, name:key`: the name ends at the first colon, and is
 *   the user's (`userIdOf`); a key without a name is a principal of its own. A text that begins with `[` is JSON, for
 *   roles and for names with colons or commas: `[{ "name": "Ben", "key": "…", "role": "manager" }]`
 * @throws CountersignError `invalid-settings` at start-up for a key that is too short or stands there twice, by its place
 *   in the list; `unauthenticated` for a key that is not in it
 * @source H-Identity, ADR 0012
 */
export function createBearerIdentity(list: ApiKeys): Authorize {
  const keys = parseApiKeys(list);
  return (request) => {
    const given = /^Bearer(?=\s|$)\s*(.*)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    if (given === undefined || keys.length === 0) return null;
    const digest = digestOf(given);
    // All keys are compared, so that the time reveals nothing.
    const key = keys.filter((known) => timingSafeEqual(known.digest, digest))[0];
    if (!key) throw new CountersignError('unauthenticated', 'This bearer key is not one of ours.');
    return key.principal;
  };
}

/**
 * The ids that the users of these keys had in earlier versions, for the flow's `formerIds`: `key:ben` was the
 * principal of `ben:…`, which is `user:ben` now.
 *
 * @throws CountersignError `invalid-settings`, as `createBearerIdentity`
 */
export function formerKeyIds(list: ApiKeys): Readonly<Record<string, string>> {
  const renamed = parseApiKeys(list).filter(({ formerId, principal }) => formerId !== principal.id);
  return Object.fromEntries(renamed.map(({ formerId, principal }) => [formerId, principal.id]));
}
