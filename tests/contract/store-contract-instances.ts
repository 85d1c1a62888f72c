import { expect, it } from 'vitest';
import type { Instance } from '../../lib/log/store/index.ts';
import type { UseStore } from './store-contract.ts';

/** Which instances are live, and what each sees differently. */
export function instancesContract(use: UseStore): void {
  const instance = (id: string, until: number, outdated: Instance['outdated'] = {}): Instance => ({
    id,
    until,
    outdated,
    plugins: [`plugin of ${id}`],
  });
  const inOrder = (instances: readonly Instance[]) => instances.toSorted((a, b) => a.id.localeCompare(b.id));

  it('returns every live instance with what it announced, including itself', async () => {
    const odd = instance('b "\ud83d', 3_000, JSON.parse('{"q-1":500,"__proto__":1,"Zoë\\u0000":2}'));
    expect(await use().instances.announce(instance('a', 2_000), 1_000)).toEqual([instance('a', 2_000)]);
    expect(inOrder(await use().instances.announce(odd, 1_000))).toEqual([instance('a', 2_000), odd]);
  });

  it('replaces what an instance announced before', async () => {
    await use().instances.announce(instance('a', 2_000, { 'q-1': 500 }), 1_000);
    const later = instance('a', 3_000, { 'q-2': 1_500 });
    expect(await use().instances.announce(later, 1_500)).toEqual([later]);
  });

  it('removes an instance whose time has expired', async () => {
    await use().instances.announce(instance('a', 2_000), 1_000);
    expect(inOrder(await use().instances.announce(instance('b', 9_000), 1_999))).toHaveLength(2);
    expect(await use().instances.announce(instance('b', 9_000), 2_000)).toEqual([instance('b', 9_000)]);
    expect(await use().instances.announce(instance('b', 9_000), 1_999)).toEqual([instance('b', 9_000)]);
  });

  it('removes an instance that retires, and no other', async () => {
    await use().instances.announce(instance('a', 2_000), 1_000);
    await use().instances.announce(instance('b', 2_000), 1_000);
    await use().instances.retire('a');
    await use().instances.retire('unknown');
    expect(await use().instances.announce(instance('b', 2_000), 1_000)).toEqual([instance('b', 2_000)]);
  });

  it('knows all of many instances that announce themselves at once', async () => {
    const all = Array.from({ length: 12 }, (_, index) => instance(`i-${index}`, 2_000 + index));
    await Promise.all(all.map((each) => use().instances.announce(each, 1_000)));
    expect(inOrder(await use().instances.announce(instance('i-0', 2_000), 1_000))).toEqual(inOrder(all));
  });
}
