import { expect, it } from 'vitest';
import { batch, chat, text } from './store-batches.ts';
import type { UseStore } from './store-contract.ts';

/** Texts of large results, which are kept as long as their chat. */
export function resultsContract(use: UseStore): void {
  const begin = async (createdAt = 1) => use().append(batch(chat, 0, [text()], { head: { createdAt } }));
  const add = (part: { text?: string; index?: number; resultId?: string; createdAt?: number } = {}) =>
    use().results.add?.({ chatId: chat, createdAt: 1, resultId: 'a', index: 0, text: 'part', ...part });
  const read = (index = 0, resultId = 'a') => use().results.read?.({ chatId: chat, resultId, index });

  it.each(['part', '', 'odd \ud83d \u0000 "', 'é'.repeat(65_536)])(
    'returns a part exactly',
    async (written) => {
      await begin();
      expect(await add({ text: written })).toBe(true);
      expect(await read()).toBe(written);
    },
  );

  it('keeps the parts and the results of a chat apart', async () => {
    await begin();
    for (const [resultId, index] of [
      ['a', 0],
      ['a', 1],
      ['odd \u0000 id', 0],
    ] as const) {
      await add({ resultId, index, text: `${resultId} ${index}` });
    }
    expect([await read(0), await read(1), await read(0, 'odd \u0000 id')]).toEqual([
      'a 0',
      'a 1',
      'odd \u0000 id 0',
    ]);
    expect([await read(2), await read(0, 'b')]).toEqual([undefined, undefined]);
  });

  it('accepts the same part again, for example after a lost acknowledgement', async () => {
    await begin();
    expect([await add(), await add()]).toEqual([true, true]);
    expect(await read()).toBe('part');
  });

  it('stores nothing for a chat that does not exist, or that was erased', async () => {
    expect(await add()).toBe(false);
    await begin(1);
    await use().chats.erase(chat, 'ana', 5_000);
    expect(await add()).toBe(false);
    await begin(2);
    expect([await add(), await read()]).toEqual([false, undefined]);
  });

  it('deletes the parts with their chat, also for a chat that uses the id again', async () => {
    await begin(1);
    await add();
    await use().chats.erase(chat, 'ana', 5_000);
    expect(await read()).toBeUndefined();
    await begin(1);
    expect(await read()).toBeUndefined();
  });
}
