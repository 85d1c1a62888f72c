import { expect, it } from 'vitest';
import type { CallMark } from '../../lib/log/store/index.ts';
import { parseChatId, parseToolCallId } from '../../lib/protocol/index.ts';
import { batch, chat, started, text } from './store-batches.ts';
import type { UseStore } from './store-contract.ts';

/** Marks of calls, by which a repeated one is found. */
export function callsContract(use: UseStore): void {
  const other = parseChatId('other');
  const mark = (id: string, at: number, wish: Partial<CallMark> = {}): CallMark => ({
    toolCallId: parseToolCallId(id),
    digest: 'pay-30',
    askerId: 'ana',
    at,
    ...wish,
  });
  const put = async (of: typeof chat, ...calls: CallMark[]) =>
    expect(await use().append(batch(of, (await use().chats.head(of))?.seq ?? 0, [text()], { calls }))).toBe(
      'appended',
    );
  const find = (wish: Partial<Parameters<ReturnType<UseStore>['calls']['recent']>[0]> = {}) =>
    use().calls.recent({ digest: 'pay-30', chatId: chat, askerId: 'ana', since: 0, limit: 9, ...wish });
  const idsOf = (calls: readonly CallMark[]) => calls.map(({ toolCallId }) => toolCallId);

  it('finds no calls if none were marked', async () => {
    expect(await find()).toEqual([]);
    await put(chat);
    expect(await find()).toEqual([]);
  });

  it('returns a mark as it was created, with its chat', async () => {
    const odd = mark('call "\ud83d', 1_000, { askerId: 'Zoë \u0000' });
    await put(chat, odd);
    expect(await find()).toEqual([{ ...odd, chatId: chat }]);
  });

  it('finds the calls of this chat and of this asker, newest first', async () => {
    await put(chat, mark('mine', 1_000), mark('of-bob', 3_000, { askerId: 'bob' }));
    await put(other, mark('elsewhere', 2_000), mark('strange', 4_000, { askerId: 'bob' }));
    expect(idsOf(await find())).toEqual(['of-bob', 'elsewhere', 'mine']);
    expect(idsOf(await find({ askerId: 'bob' }))).toEqual(['strange', 'of-bob', 'mine']);
    expect(idsOf(await find({ chatId: parseChatId('none') }))).toEqual(['elsewhere', 'mine']);
  });

  it('finds none with another digest, none before `since`, and no more than requested', async () => {
    const ats = [1_000, 2_000, 3_000];
    await put(chat, ...ats.map((at) => mark(`at-${at}`, at)), mark('else', 2_500, { digest: 'pay-31' }));
    expect(idsOf(await find({ since: 2_000 }))).toEqual(['at-3000', 'at-2000']);
    expect(idsOf(await find({ limit: 1 }))).toEqual(['at-3000']);
    expect(idsOf(await find({ digest: 'pay-31' }))).toEqual(['else']);
  });

  it('keeps the first mark of a call, in a later batch and within one', async () => {
    await put(chat, mark('a', 1_000), mark('a', 2_000), mark('b', 1_500));
    await put(chat, mark('a', 3_000, { digest: 'pay-31' }), mark('b', 4_000));
    expect((await find()).map(({ at }) => at)).toEqual([1_500, 1_000]);
    expect(await find({ digest: 'pay-31' })).toEqual([]);
  });

  it('distinguishes calls of two chats with the same id', async () => {
    await put(chat, mark('call-1', 1_000));
    await put(other, mark('call-1', 2_000));
    expect((await find()).map(({ chatId }) => chatId)).toEqual([other, chat]);
  });

  it('keeps no mark of a refused batch', async () => {
    await put(chat);
    const calls = [mark('a', 1_000)];
    expect(await use().append(batch(chat, 5, [started('a')], { calls }))).toBe('conflict');
    expect(await find()).toEqual([]);
  });

  it('removes the marks with their chat', async () => {
    await put(chat, mark('mine', 1_000));
    await put(other, mark('elsewhere', 2_000));
    await use().chats.erase(chat, 'ana', 5_000);
    expect(idsOf(await find())).toEqual(['elsewhere']);
  });
}
