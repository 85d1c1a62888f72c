import { canonicalJson, isRecord } from '../../protocol/index.ts';
import {
  byKind,
  checkSettings,
  listOf,
  object,
  type SettingCheck,
  secret,
  unfit,
} from '../../protocol/settings.ts';
import { runtime } from '../../runtime/runtime.ts';

/**
 * The keys that seal the audit record: one that seals, and those that sealed before. Each seal names its key's `id`
 * (1 to 32 of `A-Za-z0-9_-`). A former key without an `id` is one that was given as a plain string.
 */
export type AuditKeyRing = {
  readonly current: { readonly id: string; readonly key: string };
  readonly former?: readonly { readonly id?: string; readonly key: string }[];
};

/** What seals the audit record: one key, or a ring of keys. Each has at least 16 characters of randomness. */
export type AuditKey = string | AuditKeyRing;

/** Makes and checks seals with whichever key of a ring applies. */
export type Seals = {
  /** The seal of an entry's facts, which continues the previous seal. Made with the current key. */
  make(previous: string | null, facts: object): string;
  /** `undefined` when no key of the ring has the id that the seal names. */
  fits(seal: string, previous: string | null, facts: object): boolean | undefined;
  /** A keyed digest, with the key that a seal names, or the current one; `undefined` when that key is not here. */
  digest(seal: string | undefined, value: unknown): string | undefined;
  /** True when the key that a seal names is here. */
  knows(seal: string): boolean;
};

/**
 *
 * @throws CountersignError `invalid-settings` for a key of less than 16 characters, an invalid id, and two keys with one
 *   id
 */
export function createSeals(auditKey: AuditKey): Seals {
  const keys = keysOf(auditKey);
  const { id: current, key } = keys.current;
  // A key without an id may be one that other instances already know by an id: while a ring is rolled out.
  const keyOf = (seal: string) => (typeof auditKey === 'string' ? auditKey : keys.byId.get(idOf(seal)));
  return {
    make: (previous, facts) => `${current}.${hmac(key, ['seal', current, previous ?? '', facts])}`,
    fits(seal, previous, facts) {
      const used = keyOf(seal);
      if (used === undefined) return undefined;
      const id = idOf(seal);
      return seal === `${id}.${hmac(used, ['seal', id, previous ?? '', facts])}`;
    },
    digest(seal, value) {
      const used = seal === undefined ? key : keyOf(seal);
      return used === undefined ? undefined : `hmac-sha256:${hmac(used, ['digest', value])}`;
    },
    knows: (seal) => keyOf(seal) !== undefined,
  };
}

/** The id of the key that made a seal; empty for one that was given as a plain string. */
export function idOf(seal: string): string {
  return seal.slice(0, Math.max(0, seal.lastIndexOf('.')));
}

const keyId: SettingCheck = (value, path) => {
  if (typeof value === 'string' && /^[A-Za-z0-9_-]{1,32}$/.test(value)) return;
  unfit(path, 'must have 1 to 32 characters of A-Z, a-z, 0-9, _ and -');
};

/** One key or a ring, with keys that are long enough and unique ids. */
export const auditKeyCheck: SettingCheck = (value, path) => {
  const key = { id: keyId, key: secret };
  const ring = object({ current: object(key, ['id', 'key']), former: listOf(object(key, ['key'])) }, [
    'current',
  ]);
  byKind({ string: secret, object: ring }, 'must be a key, or a ring of keys')(value, path);
  if (!isRecord(value)) return;
  const { current, former = [] } = value as AuditKeyRing;
  const ids = new Set([current.id]);
  for (const [index, { id = '' }] of former.entries()) {
    if (ids.has(id)) unfit(`${path}.former[${index}].id`, 'is the id of another key, too');
    ids.add(id);
  }
};

function keysOf(auditKey: AuditKey) {
  checkSettings('The audit key', { auditKey }, { auditKey: auditKeyCheck }, ['auditKey']);
  const { current, former = [] } =
    typeof auditKey === 'string' ? { current: { id: '', key: auditKey } } : auditKey;
  const byId = new Map([current, ...former].map(({ id = '', key }) => [id, key]));
  return { current, byId };
}

/** The last part is the value. `undefined` is omitted, as in JSON. */
function hmac(key: string, parts: readonly unknown[]): string {
  const texts = [...parts.slice(0, -1), canonicalJson(parts.at(-1))];
  return runtime.toBase64url(runtime.hmacSha256(key, JSON.stringify(texts)));
}
