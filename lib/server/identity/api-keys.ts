import { createHash } from 'node:crypto';
import type { Principal } from '../../protocol/index.ts';
import {
  byKind,
  checkSettings,
  listOf,
  object,
  type SettingCheck,
  secret,
  text,
  unfit,
} from '../../protocol/settings.ts';

/** A program's key, and the user that it belongs to. */
export type ApiKey = {
  /** At least 16 visible characters of ASCII. */
  readonly key: string;
  /** The user's name: any text that is not blank. */
  readonly name: string;
  /** The role of requests with this key. Default: none. */
  readonly role?: string;
  /** The id that your login gives this user. Default: `userIdOf(name)`. */
  readonly userId?: string;
};

/** Keys as a list, or as one text: `name:key, …`, or the list as JSON. @see createBearerIdentity */
export type ApiKeys = string | readonly ApiKey[];

/** A key that was checked: its digest, whom it names, and the id that this was in earlier versions. */
export type KnownKey = {
  readonly digest: Buffer;
  readonly principal: Principal;
  readonly formerId: string;
};

/**
 * The id of the user of a name: `user:` and the name in lower case. The reference app's login and its API keys make
 * their ids by this one rule, so that a person who comes with a key and with a cookie is one person.
 */
export function userIdOf(name: string): string {
  return `user:${name.trim().toLowerCase().normalize('NFC')}`;
}

const key: SettingCheck = (value, path) => {
  secret(value, path);
  // Anything else never arrives in a header as it was written.
  if (!/^[\x21-\x7e]+$/.test(value as string)) unfit(path, 'must have visible characters of ASCII only');
};

const name: SettingCheck = (value, path) => {
  if (typeof value !== 'string' || value.trim() === '') unfit(path, 'must be a name that is not blank');
};

const list: SettingCheck = byKind(
  { string: text(0), list: listOf(object({ key, name, role: text(), userId: text() }, ['key', 'name'])) },
  'must be a text, or a list of keys',
);

/**
 * Reads and checks keys.
 *
 * @throws CountersignError `invalid-settings`, which never holds a key
 */
export function parseApiKeys(given: ApiKeys): readonly KnownKey[] {
  const keys = typeof given === 'string' && given.trimStart().startsWith('[') ? fromJson(given) : given;
  check(keys, list);
  const known = typeof keys === 'string' ? plainKeys(keys) : keys.map(knownKey);
  for (const [index, one] of known.entries()) {
    const before = known.slice(0, index);
    const isRepeated = before.some(({ digest }) => digest.equals(one.digest));
    if (isRepeated) refuse(`list[${index}]`, 'repeats an earlier key');
    const isTorn = before.some(
      (other) => other.formerId === one.formerId && other.principal.id !== one.principal.id,
    );
    if (isTorn) refuse(`list[${index}]`, 'gives a name that stands for another user above');
  }
  return known;
}

function fromJson(json: string): readonly ApiKey[] {
  try {
    return JSON.parse(json);
  } catch {
    // The parser's own error repeats the text.
    return refuse('list', 'begins with `[` and is no JSON');
  }
}

/** Entries with commas between them. A name ends at the first colon, so a key may have colons and a name may not. */
function plainKeys(keys: string): readonly KnownKey[] {
  const entries = keys.split(',').map((entry) => entry.trim());
  return entries.flatMap((entry, index) => {
    if (entry === '') return [];
    const colon = entry.indexOf(':');
    const given = entry.slice(colon + 1);
    check(given, key, `list[${index}]`);
    return [colon > 0 ? knownKey({ name: entry.slice(0, colon), key: given }) : namelessKey(given)];
  });
}

function knownKey({ key, name, role, userId = userIdOf(name) }: ApiKey): KnownKey {
  const principal = { id: userId, name: name.trim(), ...(role !== undefined && { role }) };
  return { digest: digestOf(key), principal, formerId: `key:${name}` };
}

/** Nobody's: the key is a principal of its own. */
function namelessKey(key: string): KnownKey {
  const digest = digestOf(key);
  const name = digest.toString('hex').slice(0, 8);
  return { digest, principal: { id: `key:${name}`, name }, formerId: `key:${name}` };
}

/** What keys are known by: nothing else of them is kept. */
export function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function check(value: unknown, check: SettingCheck, path = 'list'): void {
  checkSettings('createBearerIdentity', { [path]: value }, { [path]: check }, [path]);
}

function refuse(path: string, what: string): never {
  check('', () => unfit(path, what), path);
  throw new Error('A check that always throws has not.');
}
