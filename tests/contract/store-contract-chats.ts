import { describe, expect, it } from 'vitest';
import type { ChatHead } from '../../lib/log/store/index.ts';
import { parseChatId } from '../../lib/protocol/index.ts';
import { answered, approval, batch, chat, idsOf, question, run, text } from './store-batches.ts';
import type { UseStore } from './store-contract.ts';

/** Lists of chats, names, and erasure. */
export function chatsContract(use: UseStore): void {
  const create = (name: string, at: number, ownerId = 'ana') =>
    use().append(batch(parseChatId(name), 0, [text()], { at, head: { ownerId } }));
  const list = async (cursor?: string, limit = 2) => use().chats.list({ ownerId: 'ana', cursor, limit });

  it('lists an owner’s chats, last changed first', async () => {
    await create('a', 1_000);
    await create('b', 2_000);
    await create('theirs', 3_000, 'bob');
    await use().append(batch(parseChatId('a'), 1, [text()], { at: 4_000 }));
    expect(idsOf((await list(undefined, 9)).items)).toEqual(['a', 'b']);
    expect(await use().chats.list({ ownerId: 'nobody', limit: 9 })).toEqual({ items: [] });
  });

  it('counts the open questions of each chat', async () => {
    await use().append(
      batch(chat, 0, [text()], {
        questions: [question('a'), question('b'), question('c', { state: 'denied' })],
      }),
    );
    await create('quiet', 500);
    const { items } = await list();
    expect(items.map(({ openCount }) => openCount)).toEqual([2, 0]);
    expect(items[0]).toEqual({ ...(await use().chats.head(chat)), openCount: 2 });
  });

  it('pages through chats that changed at the same moment, each once', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await create(name, 1_000);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(cursor);
      expect(page.items.length).toBeLessThanOrEqual(2);
      seen.push(...idsOf(page.items));
      cursor = page.next;
    } while (cursor !== undefined);
    expect(seen.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('pages chats that changed since a time, and leaves out those with an active run [ADR 0046]', async () => {
    const changed = { a: 1_000, b: 5_000_000, c: 5_000_000, d: 9_000_000, e: 999 };
    for (const name of [...Object.keys(changed), 'running']) await create(name, 1);
    for (const [name, at] of Object.entries(changed)) {
      await use().append(batch(parseChatId(name), 1, [text()], { at, head: { status: 'waiting' } }));
    }
    const { changedSince } = use().chats;
    const first = await changedSince({ since: 1_000, limit: 2 });
    const second = await changedSince({ since: 1_000, limit: 2, cursor: first?.next });
    expect([first, second].map((page) => page && idsOf(page.items))).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(second?.next).toBeUndefined();
    await expect(changedSince({ since: 0, limit: 2, cursor: 'x' })).rejects.toMatchObject({
      code: 'invalid-request',
    });
  });

  it('lists and finds chats in the order of their last changes, however far apart these are', async () => {
    const hour = 3_600_000;
    const changed = { a: hour - 1, b: hour, c: 50 * hour + 2, d: 50 * hour + 1, e: 3 * hour };
    for (const name of Object.keys(changed)) await create(name, 1);
    for (const [name, at] of Object.entries(changed)) {
      await use().append(batch(parseChatId(name), 1, [text()], { at, head: { status: 'idle' } }));
    }
    const first = await list();
    const second = await list(first.next);
    const third = await list(second.next);
    expect([first, second, third].map(({ items }) => idsOf(items))).toEqual([['c', 'd'], ['e', 'b'], ['a']]);
    expect(await use().chats.stale(50 * hour + 2, 9)).toEqual(['a', 'b', 'e', 'd']);
  });

  it('lists chats that changed within one second in the order of their changes', async () => {
    const changed = { a: 5_999, b: 5_000, c: 6_000, d: 5_500 };
    for (const [name, at] of Object.entries(changed)) await create(name, at);
    await use().append(batch(parseChatId('b'), 1, [text()], { at: 5_700 }));
    const first = await list();
    expect(idsOf([...first.items, ...(await list(first.next)).items])).toEqual(['c', 'a', 'b', 'd']);
  });

  it('finds chats without a change since a time, oldest first, but no active ones', async () => {
    const rest = (name: string, at: number, status: 'idle' | 'active' | 'waiting') =>
      use().append(batch(parseChatId(name), 0, [text()], { at, head: { status } }));
    await rest('newer', 3_000, 'waiting');
    await rest('oldest', 1_000, 'idle');
    await rest('working', 1_000, 'active');
    expect(await use().chats.stale(3_001, 9)).toEqual(['oldest', 'newer']);
    expect(await use().chats.stale(3_000, 9)).toEqual(['oldest']);
    expect(await use().chats.stale(3_001, 1)).toEqual(['oldest']);
  });

  describe('heads of resting chats', () => {
    const hour = 3_600_000;
    const rest = (name: string, at: number, wish: Partial<ChatHead> = {}) =>
      use().append(
        batch(parseChatId(name), 0, [text()], { at, head: { status: 'idle', auditHead: 'seal', ...wish } }),
      );

    it('include those that changed at or after a time, the oldest change first', async () => {
      await rest('early', hour - 2);
      await rest('third', 30 * hour);
      await rest('first', hour - 1, { status: 'waiting' });
      await rest('second', hour + 5, { status: 'failed' });
      const { items } = await use().chats.sealedSince(hour - 1, 9);
      expect(idsOf(items)).toEqual(['first', 'second', 'third']);
      expect(items[0]).toEqual(await use().chats.head(parseChatId('first')));
    });

    it('include no active chat, and none without an audit entry', async () => {
      await rest('active', 1_000, { status: 'active' });
      await rest('unsealed', 1_000, { auditHead: null });
      expect(await use().chats.sealedSince(0, 9)).toEqual({ items: [] });
    });

    it('are paged through, each once, including those that changed at the same moment', async () => {
      const names = ['a', 'b', 'c', 'd', 'e'];
      for (const name of names) await rest(name, name < 'c' ? 1_000 : 2_000);
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await use().chats.sealedSince(1_000, 2, cursor);
        expect(page.items.length).toBeLessThanOrEqual(2);
        seen.push(...idsOf(page.items));
        cursor = page.next;
      } while (cursor !== undefined);
      expect(seen).toEqual(names);
      await expect(use().chats.sealedSince(0, 2, 'x')).rejects.toMatchObject({ code: 'invalid-request' });
    });

    it('appear again after the cursor if their chat changes meanwhile', async () => {
      for (const [index, name] of ['a', 'b', 'c'].entries()) await rest(name, 1_000 + index);
      const first = await use().chats.sealedSince(0, 2);
      const head = { status: 'idle', auditHead: 'next' } as const;
      await use().append(batch(parseChatId('a'), 1, [text()], { at: 9_000, head }));
      const second = await use().chats.sealedSince(0, 2, first.next);
      expect(second.items.map(({ id, auditHead }) => [id, auditHead])).toEqual([
        ['c', 'seal'],
        ['a', 'next'],
      ]);
    });
  });

  it('contain the seal of the last audit entry', async () => {
    await use().append(batch(chat, 0, [text()], { head: { auditHead: 'one' } }));
    expect((await use().chats.head(chat))?.auditHead).toBe('one');
    await use().append(batch(chat, 1, [text()], { head: { auditHead: 'two' } }));
    expect((await use().chats.head(chat))?.auditHead).toBe('two');
  });

  it('have no cursor when a page contains exactly the rest', async () => {
    await create('a', 1_000);
    await create('b', 2_000);
    expect((await list()).next).toBeUndefined();
  });

  it('continues where a page ended, whatever was added or changed meanwhile', async () => {
    for (const [index, name] of ['d', 'c', 'b', 'a'].entries()) await create(name, 1_000 + index);
    const first = await list();
    expect(idsOf(first.items)).toEqual(['a', 'b']);
    await create('newer', 9_000);
    await use().append(batch(parseChatId('a'), 1, [text()], { at: 9_000 }));
    expect(idsOf((await list(first.next)).items)).toEqual(['c', 'd']);
  });

  it.each(['', 'x', '!!', 'bm90IGEgY3Vyc29y', '9'.repeat(500)])(
    'refuses %j as a cursor, for chats and for questions',
    async (cursor) => {
      await expect(list(cursor)).rejects.toMatchObject({ code: 'invalid-request' });
      const questions = use().questions.list({ state: 'open', cursor, limit: 1 });
      await expect(questions).rejects.toMatchObject({ code: 'invalid-request' });
    },
  );

  it('renames a chat permanently, without moving it', async () => {
    const { head } = batch(chat, 0, [text()]);
    await use().append(batch(chat, 0, [text()]));
    await use().chats.rename(chat, 'Payments 💸');
    expect(await use().chats.head(chat)).toEqual({ ...head, title: 'Payments 💸' });
    await use().append(batch(chat, 1, [text()], { head: { title: 'from an old head', ownerId: 'bob' } }));
    expect(await use().chats.head(chat)).toMatchObject({
      title: 'Payments 💸',
      ownerId: 'ana',
      createdAt: 1_000,
    });
  });

  it('renames nothing if the chat does not exist', async () => {
    await use().chats.rename(chat, 'Nobody');
    expect(await use().chats.head(chat)).toBeUndefined();
  });

  describe('erasing', () => {
    const fill = async () => {
      await use().append(
        batch(chat, 0, [text(), answered('q')], {
          lease: { owner: 'here', until: 2_000 },
          questions: [question('q')],
        }),
      );
      await use().runs.requestStop(chat, run());
      await use().append(
        batch(parseChatId('other'), 0, [text()], {
          questions: [question('other', { chatId: parseChatId('other') })],
        }),
      );
    };

    it('leaves nothing of a chat, and everything of others', async () => {
      await fill();
      await use().chats.erase(chat, 'ana', 5_000);
      expect(await use().chats.head(chat)).toBeUndefined();
      expect(await use().events.read(chat, 0)).toEqual([]);
      expect(await use().questions.read(approval('q'))).toBeUndefined();
      expect(idsOf((await use().questions.list({ state: 'open', limit: 9 })).items)).toEqual(['other']);
      expect((await use().questions.changes(0, 9)).map((change) => change.question.id)).toEqual(['other']);
      expect(idsOf((await list()).items)).toEqual(['other']);
      expect(await use().runs.orphans(9_000)).toEqual([]);
      expect(await use().runs.stopRequested(chat, run())).toBe(false);
    });

    it('refuses the appends of a run that did not notice', async () => {
      await fill();
      await use().chats.erase(chat, 'ana', 5_000);
      expect(await use().append(batch(chat, 2, [text()]))).toBe('conflict');
      expect(await use().runs.claimLease(chat, { owner: 'here', until: 9_000 }, 1_500)).toBe(false);
    });

    it('never assigns a position in the feed twice', async () => {
      await fill();
      const before = await use().questions.lastChange();
      await use().chats.erase(parseChatId('other'), 'ana', 5_000);
      expect(await use().questions.lastChange()).toBe(before);
      await use().append(batch(chat, 2, [text()], { questions: [question('new')] }));
      const changes = await use().questions.changes(before, 9);
      expect(changes.map((change) => change.question.id)).toEqual(['new']);
    });

    it('lets the id be reused, with new claims', async () => {
      await fill();
      await use().chats.erase(chat, 'ana', 5_000);
      expect(await use().append(batch(chat, 0, [answered('q')]))).toBe('appended');
    });

    it('does nothing if the chat does not exist', async () => {
      await expect(use().chats.erase(chat, 'ana', 5_000)).resolves.toBeUndefined();
    });
  });
}
