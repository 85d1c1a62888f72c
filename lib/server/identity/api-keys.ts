import type { Principal } from '../../protocol/index.ts';
import {
  bool,
  byKind,
  checkSettings,
  listOf,
  object,
  type SettingCheck,
  secret,
  text,
  unfit,
} from '../../protocol/settings.ts';
import { runtime } from '../../runtime/runtime.ts';
import { toHex } from '../../runtime/to-hex.ts';

/** An API key, and the user that it belongs to. */
export type ApiKey = {
  /** At least 16 visible ASCII characters. */
  readonly key: string;
  /** The user's name. Must not be blank. */
  readonly name: string;
  /** The role of requests with this key. Default: none. */
  readonly role?: string;
  /** The id of this user in your login. Default: `userIdOf(name)`. */
  readonly userId?: string;
  /**
   * True if the key serves many people, such as that of an app's backend. Requests to the Responses gateway then say by
   * `safety_identifier` or `user` whose chats they mean. Default: false.
   */
  readonly shared?: boolean;
};

/** Keys as a list or as a string: `name:key, …`, or the list as JSON. @see createBearerIdentity */
export type ApiKeys = string | readonly ApiKey[];

/** A checked key: its digest, its principal, and the principal's id in earlier versions. */
export type KnownKey = {
  readonly digest: Uint8Array;
  readonly principal: Principal;
  readonly formerId: string;
};

/**
 * The user id for a name: `user:` and the name in lower case. The reference app's login and its API keys both
 * use it, so that a person has the same id with a key and with a cookie.
 */
export function userIdOf(name: string): string {
  return `user:${name.trim().toLowerCase().normalize('NFC')}`;
}

const key: SettingCheck = (value, path) => {
  secret(value, path);
  // HTTP headers cannot carry other characters unchanged.
  if (!/^[\x21-\x7e]+$/.test(value as string)) unfit(path, 'must contain only visible ASCII characters');
};

const name: SettingCheck = (value, path) => {
  if (typeof value !== 'string' || value.trim() === '') unfit(path, 'must be a name that is not blank');
};

const list: SettingCheck = byKind(
  {
    string: text(0),
    list: listOf(object({ key, name, role: text(), userId: text(), shared: bool }, ['key', 'name'])),
  },
  'must be a string, or a list of keys',
);

/** Parses and checks keys. @throws CountersignError `invalid-settings`, which never contains a key */
export function parseApiKeys(given: ApiKeys): readonly KnownKey[] {
  const keys = typeof given === 'string' && given.trimStart().startsWith('[') ? fromJson(given) : given;
  check(keys, list);
  const known = typeof keys === 'string' ? plainKeys(keys) : keys.map(knownKey);
  for (const [index, one] of known.entries()) {
    const before = known.slice(0, index);
    const isRepeated = before.some(({ digest }) => runtime.isSame(digest, one.digest));
    if (isRepeated) refuse(`list[${index}]`, 'repeats an earlier key');
    const isAmbiguous = before.some(
      (other) => other.formerId === one.formerId && other.principal.id !== one.principal.id,
    );
    if (isAmbiguous) refuse(`list[${index}]`, 'has the name of another user above');
  }
  return known;
}

function fromJson(json: string): readonly ApiKey[] {
  try {
    return JSON.parse(json);
  } catch {
    // The parser's own error quotes the input.
    return refuse('list', 'starts with `[` but is not JSON');
  }
}

/** Entries separated by commas. A name ends at the first colon, so keys may contain colons and names may not. */
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

function knownKey({ key, name, role, userId = userIdOf(name), shared }: ApiKey): KnownKey {
  const principal = { id: userId, name: name.trim(), role, shared: shared === true ? shared : undefined };
  return { digest: digestOf(key), principal, formerId: `key:${name}` };
}

/** A key without a name is its own principal. */
function namelessKey(key: string): KnownKey {
  const digest = digestOf(key);
  const name = toHex(digest.subarray(0, 4));
  return { digest, principal: { id: `key:${name}`, name }, formerId: `key:${name}` };
}

/** The digest that identifies a key. The key itself is not kept. */
export function digestOf(key: string): Uint8Array {
  return runtime.sha256(key);
}

function check(value: unknown, check: SettingCheck, path = 'list'): void {
  checkSettings('createBearerIdentity', { [path]: value }, { [path]: check }, [path]);
}

function refuse(path: string, what: string): never {
  check('', () => unfit(path, what), path);
  throw new Error('The check did not throw.');
}
