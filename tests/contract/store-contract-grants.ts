import { expect, it } from 'vitest';
import { type Grant, parseChatId, parseGrantId } from '../../lib/protocol/index.ts';
import { ana, approval, batch, chat, grantOf, idsOf, text } from './store-batches.ts';
import type { UseStore } from './store-contract.ts';

/** Remembered approvals: found by key, listed by person, used and revoked one before the other. */
export function grantsContract(use: UseStore): void {
  const other = parseChatId('other');
  const bob = { id: 'bob', name: 'Bob' };
  const append = async (of: typeof chat, wish: Parameters<typeof batch>[3]) =>
    use().append(batch(of, (await use().chats.head(of))?.seq ?? 0, [text()], wish));
  const put = async (...grants: Grant[]) => expect(await append(chat, { grants })).toBe('appended');
  const listOf = async (personId: string) => (await use().grants.list({ personId, limit: 9 })).items;

  it('returns a grant as it was given, by its key', async () => {
    const input = { to: 'Zoë \u0000 \ud800', amount: 30 };
    const exact = grantOf('a', { match: 'exact-arguments', input, title: 'Pay' });
    const here = grantOf('b', { scope: 'chat', chatId: chat });
    await put(exact, here);
    expect(await use().grants.find(['key-a', 'unknown'])).toEqual([exact]);
    expect(await use().grants.find(['key-b'])).toEqual([here]);
    expect(await use().grants.find([])).toEqual([]);
    expect(idsOf(await use().grants.find(['key-b', 'key-a'])).toSorted()).toEqual(['a', 'b']);
  });

  it('keeps the first grant with a key', async () => {
    await put(grantOf('a', { key: 'same' }));
    await put(grantOf('b', { key: 'same' }), grantOf('c'));
    expect(idsOf(await use().grants.find(['same', 'key-c'])).toSorted()).toEqual(['a', 'c']);
  });

  it('lists one person’s grants, newest first, by page', async () => {
    const at = [1_000, 2_000, 2_000, 3_000];
    await put(...at.map((createdAt, index) => grantOf(`g${index}`, { createdAt })));
    await put(grantOf('theirs', { by: bob, createdAt: 9_000 }));
    const first = await use().grants.list({ personId: ana.id, limit: 2 });
    expect(idsOf(first.items)).toEqual(['g3', 'g2']);
    await put(grantOf('g4', { createdAt: 4_000 }));
    const second = await use().grants.list({ personId: ana.id, cursor: first.next, limit: 2 });
    expect(idsOf(second.items)).toEqual(['g1', 'g0']);
    expect(second.next).toBeUndefined();
    expect(idsOf(await listOf('bob'))).toEqual(['theirs']);
    expect(await listOf('nobody')).toEqual([]);
    await expect(use().grants.list({ personId: ana.id, cursor: 'x', limit: 2 })).rejects.toMatchObject({
      code: 'invalid-request',
    });
  });

  it('counts the uses of a grant, and keeps the time of the last one', async () => {
    await put(grantOf('a'), grantOf('b'));
    expect((await listOf(ana.id))[0]).toMatchObject({ uses: 0 });
    const uses = [parseGrantId('a')];
    expect(await append(other, { uses, at: 5_000 })).toBe('appended');
    expect(await append(other, { uses, at: 6_000 })).toBe('appended');
    expect(await listOf(ana.id)).toEqual([
      { ...grantOf('b'), uses: 0 },
      { ...grantOf('a'), uses: 2, lastUsedAt: 6_000 },
    ]);
  });

  it('counts no use, and keeps no grant, of a batch that conflicts', async () => {
    await put(grantOf('a'));
    const wish = { uses: [parseGrantId('a')], grants: [grantOf('b')] };
    expect(await use().append(batch(chat, 9, [text()], wish))).toBe('conflict');
    expect(await listOf(ana.id)).toEqual([{ ...grantOf('a'), uses: 0 }]);
  });

  it('revokes permanently for the person who gave it', async () => {
    await put(grantOf('a'));
    const id = parseGrantId('a');
    expect(await use().grants.revoke(id, 'bob')).toBe(false);
    expect(await use().grants.find(['key-a'])).toHaveLength(1);
    expect(await use().grants.revoke(id, ana.id)).toBe(true);
    expect(await use().grants.revoke(id, ana.id)).toBe(false);
    expect(await use().grants.find(['key-a'])).toEqual([]);
    await put(grantOf('again', { key: 'key-a' }));
    expect(idsOf(await use().grants.find(['key-a']))).toEqual(['again']);
  });

  it('writes nothing of a batch that uses a revoked grant', async () => {
    await put(grantOf('a'), grantOf('b'));
    await use().grants.revoke(parseGrantId('a'), ana.id);
    const before = await use().chats.head(chat);
    const uses = [parseGrantId('b'), parseGrantId('a')];
    expect(await append(chat, { uses, grants: [grantOf('c')] })).toBe('revoked');
    expect(await append(other, { uses: [parseGrantId('never')] })).toBe('revoked');
    expect(await use().chats.head(chat)).toEqual(before);
    expect(await use().chats.head(other)).toBeUndefined();
    expect(await listOf(ana.id)).toEqual([{ ...grantOf('b'), uses: 0 }]);
  });

  it('orders a concurrent use and revocation one before the other', async () => {
    const id = parseGrantId('a');
    for (let round = 0; round < 5; round += 1) {
      await put(grantOf('a'));
      const deeds = [() => append(chat, { uses: [id] }), () => use().grants.revoke(id, ana.id)];
      const [used, revoked] = await Promise.all(
        round % 2
          ? deeds.map((deed) => deed())
          : deeds
              .toReversed()
              .map((deed) => deed())
              .toReversed(),
      );
      expect(revoked).toBe(true);
      expect(['appended', 'revoked']).toContain(used);
      expect(await use().grants.find(['key-a'])).toEqual([]);
    }
  });

  it('erases a chat with the grants that are only for this chat', async () => {
    await put(grantOf('here', { scope: 'chat', chatId: chat }), grantOf('everywhere'));
    await append(other, { grants: [grantOf('there', { scope: 'chat', chatId: other })] });
    await use().chats.erase(chat, ana.id, 9_000);
    expect(idsOf(await listOf(ana.id)).toSorted()).toEqual(['everywhere', 'there']);
  });

  it('refuses a grant for a chat other than the one it is given in', async () => {
    const stray = batch(chat, 0, [text()], { grants: [grantOf('a', { scope: 'chat', chatId: other })] });
    await expect(use().append(stray)).rejects.toMatchObject({ code: 'internal' });
    expect(grantOf('a').approvalId).toBe(approval('q-a'));
  });
}
