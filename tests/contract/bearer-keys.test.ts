import { describe, expect, it } from 'vitest';
import { parseLogin } from '../../app/_server/login.ts';
import { userIdOf } from '../../lib/server/identity/api-keys.ts';
import { createBearerIdentity, formerKeyIds } from '../../lib/server/identity/bearer-keys.ts';

const key = 'k'.repeat(24);
const other = 'x'.repeat(16);
const request = (authorization?: string) =>
  new Request('http://localhost/', { headers: authorization === undefined ? {} : { authorization } });
const principalOf = (list: Parameters<typeof createBearerIdentity>[0], given = key) =>
  createBearerIdentity(list)(request(`Bearer ${given}`));

describe('bearer keys [H-Identity]', () => {
  const authorize = createBearerIdentity(`ci:${key}, ${other}`);

  it('identify the user of their name, without a role', async () => {
    expect(await authorize(request(`Bearer ${key}`))).toEqual({ id: 'user:ci', name: 'ci' });
  });

  it('without a name identify a principal of their own, named by a digest', async () => {
    const known = await authorize(request(`bearer ${other}`));
    expect(known?.id).toMatch(/^key:[0-9a-f]{8}$/);
    expect(known).toEqual({ id: `key:${known?.name}`, name: known?.name });
  });

  it('that serve many people are marked as such', async () => {
    expect(await principalOf([{ name: 'app', key, shared: true }])).toEqual({
      id: 'user:app',
      name: 'app',
      shared: true,
    });
    expect(await principalOf([{ name: 'app', key, shared: false }])).toEqual({ id: 'user:app', name: 'app' });
    expect(() => createBearerIdentity(JSON.stringify([{ name: 'app', key, shared: 'yes' }]))).toThrow(
      'shared',
    );
  });

  it.each([
    'Ben',
    'ben',
    'BEN',
    ' Zoë O’Neil ',
    '数据',
    'a;b=c',
    '__proto__',
    'constructor',
    'key',
    'user',
    '0',
  ])('of %j identifies the same user as a demo login with that name', async (name) => {
    const { id, name: shown } = parseLogin({ name });
    expect(await principalOf(`${name}:${key}`)).toEqual({ id, name: shown });
    expect(await principalOf([{ name, key }])).toEqual({ id, name: shown });
    expect(userIdOf(name)).toBe(id);
  });

  it.each([
    ['a composed letter', 'Zo\u00eb'],
    ['a letter and its accent', 'Zoe\u0308'],
  ])('identifies one person when the name is written with %s', async (_what, name) => {
    expect((await principalOf(`${name}:${key}`))?.id).toBe('user:zo\u00eb');
  });

  it('may contain colons, because the name ends at the first one', async () => {
    expect(await principalOf('ben:with:colons:in:the:key', 'with:colons:in:the:key')).toEqual({
      id: 'user:ben',
      name: 'ben',
    });
    expect(() => principalOf('ben:with:colons:in:the:key', 'colons:in:the:key')).toThrow();
  });

  it.each<[string, object, object]>([
    ['a role', { name: 'Ben', role: 'manager' }, { id: 'user:ben', name: 'Ben', role: 'manager' }],
    ['a name with colons and commas', { name: 'a:b, c' }, { id: 'user:a:b, c', name: 'a:b, c' }],
    ['an id of the app’s own login', { name: 'Ben', userId: 'u_17' }, { id: 'u_17', name: 'Ben' }],
  ])('as a list or as JSON have %s', async (_what, given, principal) => {
    const list = [{ key, name: '', ...given }];
    expect(await principalOf(list)).toEqual(principal);
    expect(await principalOf(` ${JSON.stringify(list)}`)).toEqual(principal);
  });

  it.each([undefined, 'Basic abc', 'BearerToken abc'])('leaves %s to other authorization', async (header) => {
    expect(await authorize(request(header))).toBeNull();
  });

  it.each(['', key.slice(1), `${key}k`, `${key} more`, 'ci', `ci:${key}`])('refuses the key %j', (given) => {
    expect(() => authorize(request(`Bearer ${given}`))).toThrow(
      expect.objectContaining({ code: 'unauthenticated' }),
    );
  });

  it.each(['', ' , ', '[]'])(
    'leaves every request to other authorization if no keys are configured: %j',
    async (list) => {
      expect(await principalOf(list)).toBeNull();
    },
  );

  it.each<[string, unknown, string]>([
    ['a short key', 'ci:short', 'list[0]'],
    ['a key with a space', `ci:${key} ${key}`, 'list[0]'],
    ['a key twice', `ci:${key},ben:${key}`, 'list[1]'],
    ['invalid JSON', `[{"key":"${key}"`, 'list'],
    ['JSON of another kind', `["${key}"]`, 'list[0]'],
    ['a short key in a list', [{ name: 'ci', key: 'short' }], 'list[0].key'],
    ['no key', [{ name: 'ci' }], 'list[0].key'],
    ['no name', [{ key }], 'list[0].name'],
    ['a blank name', [{ key, name: ' ' }], 'list[0].name'],
    ['an empty role', [{ key, name: 'ci', role: '' }], 'list[0].role'],
    ['a misspelt setting', [{ key, name: 'ci', roles: 'a' }], 'list[0].roles'],
    [
      'one name for two users',
      [
        { key, name: 'ci', userId: 'a' },
        { key: other, name: 'ci', userId: 'b' },
      ],
      'list[1]',
    ],
    ['no list', 17, 'list'],
  ])('refuses %s at start-up, and never prints a key', (_what, list, path) => {
    const refused = expect.objectContaining({
      code: 'invalid-settings',
      fields: expect.objectContaining({ path }),
      message: expect.not.stringContaining(key),
    });
    expect(() => createBearerIdentity(list as never)).toThrow(refused);
    expect(() => formerKeyIds(list as never)).toThrow(refused);
  });
});

describe('former principals of keys [H-Identity]', () => {
  it('are derived from the key’s name as it is written in the list', () => {
    expect(formerKeyIds(`Ben:${key}, ben:${other}, ${'y'.repeat(16)}`)).toEqual({
      'key:Ben': 'user:ben',
      'key:ben': 'user:ben',
    });
    expect(formerKeyIds([{ key, name: 'ci', userId: 'u_17' }])).toEqual({ 'key:ci': 'u_17' });
    expect(formerKeyIds('')).toEqual({});
  });
});
