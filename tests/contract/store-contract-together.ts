import { expect, it } from 'vitest';
import type { StoreChange } from '../../lib/log/store/index.ts';
import { parseChatId } from '../../lib/protocol/index.ts';
import { answered, batch, chat, idsOf, question, started, text } from './store-batches.ts';
import type { UseStore } from './store-contract.ts';

const recordOf = (key: string) => ({ plugin: 'tides', kind: 'note', key, value: '' });

/** Appends of many chats at once may share a transaction; each is still written or refused by itself. */
export function togetherContract(use: UseStore): void {
  const chatOf = (index: number) => parseChatId(`together-${index}`);
  const chats = Array.from({ length: 100 }, (_, index) => chatOf(index));
  const askedIn = (chatId: typeof chat) => [question(`q-${chatId}`, { chatId })];

  it('writes all of them, each into its own log and head', async () => {
    const batches = chats.map((id, index) =>
      batch(id, 0, Array(1 + (index % 3)).fill(text(id)), { head: { title: id }, questions: askedIn(id) }),
    );
    const outcomes = await Promise.all(batches.map((each) => use().append(each)));
    expect(new Set(outcomes)).toEqual(new Set(['appended']));
    for (const { chatId, events, head } of batches) {
      expect(await use().events.read(chatId, 0)).toEqual(events);
      expect(await use().chats.head(chatId)).toEqual(head);
    }
  });

  it('moves heads and creates chats together', async () => {
    const [old, fresh] = [chatOf(1), chatOf(2)];
    await use().append(batch(old, 0, [text()]));
    const outcomes = [batch(old, 1, [text('more')]), batch(fresh, 0, [text()])].map((each) =>
      use().append(each),
    );
    expect(await Promise.all(outcomes)).toEqual(['appended', 'appended']);
    expect((await use().chats.head(old))?.seq).toBe(2);
    expect((await use().chats.head(fresh))?.seq).toBe(1);
  });

  it('assigns each changed question its own position in the feed', async () => {
    await Promise.all(chats.map((id) => use().append(batch(id, 0, [text()], { questions: askedIn(id) }))));
    const changes = await use().questions.changes(0, 200);
    expect(changes.map(({ change }) => change)).toEqual(chats.map((_, index) => index + 1));
    expect(new Set(idsOf(changes.map((each) => each.question))).size).toBe(chats.length);
  });

  it('announces each once', async () => {
    const notifications: StoreChange[] = [];
    const all = new Promise<void>((resolve) => {
      use().subscribe((change) => {
        notifications.push(change);
        if (notifications.length === chats.length) resolve();
      });
    });
    await Promise.all(chats.map((id) => use().append(batch(id, 0, [text(), text()]))));
    await all;
    expect(notifications.toSorted((a, b) => a.chatId.localeCompare(b.chatId))).toEqual(
      chats.toSorted().map((chatId) => ({ chatId, reason: 'append', seq: 2 })),
    );
  });

  it('writes batches of one chat in the order in which they arrived', async () => {
    const outcomes = [0, 1, 2, 3].map((after) => use().append(batch(chat, after, [text(`${after}`)])));
    expect(await Promise.all(outcomes)).toEqual(Array(4).fill('appended'));
    expect((await use().events.read(chat, 0)).map((event) => 'delta' in event && event.delta)).toEqual([
      '0',
      '1',
      '2',
      '3',
    ]);
  });

  it('refuses some of them without a trace, and writes the others', async () => {
    const [stale, claimed, fenced] = [chatOf(50), chatOf(51), chatOf(52)];
    const [revoked, stranger] = [chatOf(53), chatOf(54)];
    const others = chats.slice(0, 20);
    await use().append(batch(stale, 0, [text(), text()]));
    await use().append(batch(claimed, 0, [started('call-1')]));
    await use().append(
      batch(fenced, 0, [text()], { owner: 'there', lease: { owner: 'there', until: 9_000 } }),
    );
    await use().append(batch(revoked, 0, [text()], { records: [recordOf('used')] }));
    await use().append(
      batch(stranger, 0, [text()], { questions: [question('taken', { chatId: stranger })] }),
    );
    const refused = [stale, claimed, fenced, revoked, stranger];
    const before = await Promise.all(refused.map((id) => use().chats.head(id)));
    const lastChange = await use().questions.lastChange();

    const settled = await Promise.allSettled([
      use().append(batch(stale, 1, [text()], { questions: askedIn(stale) })),
      ...others.slice(0, 10).map((id) => use().append(batch(id, 0, [answered('q')]))),
      use().append(batch(claimed, 1, [text(), started('call-1')], { questions: askedIn(claimed) })),
      use().append(batch(fenced, 1, [text()], { at: 2_000, questions: askedIn(fenced) })),
      use().append(
        batch(revoked, 1, [text()], {
          records: [
            { ...recordOf('used'), expects: 1 },
            { ...recordOf('gone'), expects: 1 },
          ],
        }),
      ),
      use().append(batch(chat, 0, [text()], { questions: [question('taken')] })),
      ...others.slice(10).map((id) => use().append(batch(id, 0, [answered('q')]))),
    ]);

    const outcomes = settled.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.code));
    expect(outcomes).toEqual([
      'conflict',
      ...Array(10).fill('appended'),
      'conflict',
      'conflict',
      { unexpected: { plugin: 'tides', kind: 'note', key: 'gone' } },
      'internal',
      ...Array(10).fill('appended'),
    ]);
    expect(await Promise.all(refused.map((id) => use().chats.head(id)))).toEqual(before);
    expect(await use().chats.head(chat)).toBeUndefined();
    expect(await use().questions.lastChange()).toBe(lastChange);
    expect(await use().records.read(recordOf('used'), ['used', 'gone'])).toMatchObject([{ version: 1 }]);
    for (const id of others) expect(await use().events.read(id, 0)).toHaveLength(1);
  });

  it('answers pending requests when it is closed', async () => {
    await use().append(batch(chat, 0, [text()]));
    const asked = Promise.all([
      use().chats.head(chat),
      use().chats.head(chatOf(1)),
      use().records.read(recordOf('a'), ['a']),
    ] as const);
    await use().close();
    expect(await asked).toMatchObject([{ seq: 1 }, undefined, []]);
  });

  it('finishes pending writes when it is closed', async () => {
    await use().chats.head(chat);
    const outcomes = chats.map((id) => use().append(batch(id, 0, [text()])));
    await use().close();
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['appended']));
  });
}
