import { createHash, timingSafeEqual } from 'node:crypto';
import { CountersignError } from '../vocabulary/index.ts';
import { checkSettings, secret, text } from '../vocabulary/settings.ts';
import type { Authorize } from './identity.ts';

type Key = { readonly name: string; readonly digest: Buffer };

/**
 * Identity by bearer keys, for programs: `authorization: Bearer <key>`. A request without that header is nobody's,
 * so another way to identify may follow; so is every request where no keys are set.
 *
 * @param list keys of at least 16 characters, separated by commas, each alone or as `name:key`; the name is the
 *   principal's, and the same name is the same principal
 * @throws CountersignError `invalid-settings` at start-up for a shorter key, by its place in the list; `unauthenticated` for a
 *   key that is not in it
 * @source contract H, "Identity"
 */
export function createBearerIdentity(list: string): Authorize {
  checkSettings('createBearerIdentity', { list }, { list: text(0) }, ['list']);
  const keys = list
    .split(',')
    .flatMap((entry, index) => (entry.trim() === '' ? [] : [parseKey(entry.trim(), index)]));
  return (request) => {
    const given = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    if (given === undefined || keys.length === 0) return null;
    const digest = digestOf(given);
    // All keys are compared, whichever fits, so that the time taken tells nothing.
    const key = keys.filter((known) => timingSafeEqual(known.digest, digest))[0];
    if (!key) throw new CountersignError('unauthenticated', 'This bearer key is not one of ours.');
    return { id: `key:${key.name}`, name: key.name };
  };
}

function parseKey(entry: string, index: number): Key {
  const colon = entry.indexOf(':');
  const key = entry.slice(colon + 1);
  checkSettings('createBearerIdentity', { [`list[${index}]`]: key }, { [`list[${index}]`]: secret });
  const digest = digestOf(key);
  return { name: colon > 0 ? entry.slice(0, colon) : digest.toString('hex').slice(0, 8), digest };
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
