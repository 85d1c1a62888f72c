import { expect, it } from 'vitest';
import { parseChatId } from '../../lib/protocol/index.ts';
import { batch, chat, idsOf, question, text } from './store-batches.ts';
import type { UseStore } from './store-contract.ts';

/** The cursor behind each row of a page, and the key that cursors are encrypted with. */
export function cursorsContract(use: UseStore): void {
  it('continues after any question of a page, not only after the last', async () => {
    const ids = ['a', 'b', 'c', 'd'];
    // Two of them were asked at the same time.
    const questions = ids.map((id, index) => question(id, { requestedAt: 1_000 + Math.floor(index / 2) }));
    await use().append(batch(chat, 0, [text()], { questions }));
    const { cursors, next } = await use().questions.list({ state: 'open', limit: 3 });
    expect(cursors).toHaveLength(3);
    expect(cursors.at(-1)).toBe(next);
    for (const [index, cursor] of cursors.entries()) {
      const page = await use().questions.list({ state: 'open', cursor, limit: 9 });
      expect(idsOf(page.items)).toEqual(ids.slice(index + 1));
    }
    expect((await use().questions.list({ state: 'denied', limit: 3 })).cursors).toEqual([]);
  });

  it('continues after any record of a page', async () => {
    for (const [index, id] of ['a', 'b', 'c'].entries()) {
      await use().append(batch(parseChatId(id), 0, [text()]));
      await use().chats.erase(parseChatId(id), 'ana', 5_000 - index, id);
    }
    const { cursors } = await use().erasures.list({ limit: 9 });
    expect(cursors).toHaveLength(3);
    const { items } = await use().erasures.list({ cursor: cursors[0], limit: 9 });
    expect(items.map(({ record }) => record)).toEqual(['b', 'c']);
  });

  it('keeps a key of at least 256 random bits for cursors', async () => {
    const key = await use().cursorKey();
    expect(key.byteLength).toBeGreaterThanOrEqual(32);
    expect(await use().cursorKey()).toEqual(key);
    expect(new Set(key).size).toBeGreaterThan(16);
  });
}
