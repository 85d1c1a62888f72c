import { expect, it } from 'vitest';
import { parseChatId } from '../../lib/protocol/index.ts';
import { batch, chat, imported, text } from './store-batches.ts';
import type { UseStore } from './store-contract.ts';

/** What is kept of erased chats, until it is dropped. */
export function erasuresContract(use: UseStore): void {
  const erase = async (id: typeof chat, at: number, record?: string) => {
    await use().append(batch(id, 0, [text()]));
    await use().chats.erase(id, 'ana', at, record);
  };
  const kept = async (query: { chatId?: typeof chat; cursor?: string; limit?: number } = {}) =>
    use().erasures.list({ limit: 9, ...query });
  const textsOf = async (query?: Parameters<typeof kept>[0]) =>
    (await kept(query)).items.map(({ record }) => record);

  it.each(['the record', '', 'odd \ud83d \u0000 "', 'é'.repeat(500_000)])(
    'returns the text exactly',
    async (record) => {
      await erase(chat, 5_000, record);
      expect(await kept()).toMatchObject({
        items: [{ chatId: chat, erasedBy: 'ana', erasedAt: 5_000, record }],
      });
    },
  );

  it('keeps none if none was given, and none for a chat that does not exist', async () => {
    await erase(chat, 5_000);
    await use().chats.erase(parseChatId('unknown'), 'ana', 5_000, 'the record');
    expect(await kept()).toMatchObject({ items: [] });
  });

  it('erases nothing if the chat has continued since the record was read', async () => {
    await use().append(batch(chat, 0, [text(), text()]));
    await use().chats.erase(chat, 'ana', 5_000, 'the record', 1);
    expect(await kept()).toMatchObject({ items: [] });
    expect(await use().chats.head(chat)).toMatchObject({ seq: 2 });
    expect(await use().events.read(chat, 0)).toHaveLength(2);
    await use().chats.erase(chat, 'ana', 5_000, 'the record', 2);
    expect(await textsOf()).toEqual(['the record']);
    expect(await use().chats.head(chat)).toBeUndefined();
  });

  it('keeps one for each time that a chat with this id was erased', async () => {
    await erase(chat, 5_000, 'first');
    await erase(chat, 5_000, 'second');
    await erase(chat, 5_000);
    await erase(chat, 4_000, 'earlier');
    expect(await textsOf({ chatId: chat })).toEqual(['second', 'first', 'earlier']);
  });

  it('knows when a chat with an id was erased last, also once its record was removed', async () => {
    const other = parseChatId('other');
    expect(await use().erasures.at(chat)).toBeUndefined();
    await erase(chat, 5_000, 'first');
    await erase(chat, 7_000);
    await erase(other, 9_000);
    await use().erasures.drop({ chatId: chat });
    await use().append(batch(chat, 0, [text()]));
    expect([await use().erasures.at(chat), await use().erasures.at(other)]).toEqual([7_000, 9_000]);
    expect(await use().erasures.at(parseChatId('never'))).toBeUndefined();
  });

  it('refuses to begin an import under the id of a chat that was erased', async () => {
    const other = parseChatId('other');
    await erase(chat, 5_000);
    const outcomes = [chat, other].map((id) => use().append(batch(id, 0, [imported, text()])));
    expect(await Promise.all(outcomes)).toEqual(['conflict', 'appended']);
    expect(await use().append(batch(chat, 0, [imported]))).toBe('conflict');
    expect(await use().chats.head(chat)).toBeUndefined();
    expect(await use().append(batch(other, 2, [text()]))).toBe('appended');
    expect(await use().append(batch(chat, 0, [text()]))).toBe('appended');
  });

  it('lists them newest first, by page, of all chats or of one', async () => {
    const other = parseChatId('other');
    for (const [at, record] of [
      [1_000, 'a'],
      [2_000, 'b'],
      [2_000, 'c'],
      [3_000, 'd'],
    ] as const) {
      await erase(chat, at, record);
    }
    await erase(other, 2_500, 'of another');
    const first = await kept({ limit: 3 });
    expect(first.items.map(({ record }) => record)).toEqual(['d', 'of another', 'c']);
    await erase(other, 9_000, 'newer');
    const second = await kept({ limit: 3, cursor: first.next });
    expect(second.items.map(({ record }) => record)).toEqual(['b', 'a']);
    expect(second.next).toBeUndefined();
    expect(await textsOf({ chatId: chat, cursor: first.next })).toEqual(['b', 'a']);
    expect(await textsOf({ chatId: other })).toEqual(['newer', 'of another']);
    await expect(kept({ cursor: 'x' })).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('removes those of one chat, and says how many', async () => {
    await erase(chat, 1_000, 'a');
    await erase(chat, 2_000, 'b');
    await erase(parseChatId('other'), 1_000, 'c');
    expect(await use().erasures.drop({ chatId: chat })).toBe(2);
    expect(await use().erasures.drop({ chatId: chat })).toBe(0);
    expect(await textsOf()).toEqual(['c']);
  });

  it('removes those from before a time', async () => {
    for (const at of [1_000, 2_000, 3_000]) await erase(chat, at, `at ${at}`);
    expect(await use().erasures.drop({ before: 2_000 })).toBe(1);
    expect(await textsOf()).toEqual(['at 3000', 'at 2000']);
    expect(await use().erasures.drop({ before: 9_000 })).toBe(2);
    expect(await textsOf()).toEqual([]);
  });
}
