import { expect, it } from 'vitest';
import { parseChatId, parseToolCallId } from '../../lib/protocol/index.ts';
import { ana, batch, chat, idsOf, question, text } from './store-batches.ts';
import type { UseStore } from './store-contract.ts';

/** What is kept under one principal's id goes to another, and the log stays as it was. */
export function principalsContract(use: UseStore): void {
  const now = { id: 'user:ana \u0000 \ud83d' };
  const bob = { id: 'bob', name: 'Bob' };
  const other = parseChatId('other');
  const calls = [{ toolCallId: parseToolCallId('call'), digest: 'pay-30', askerId: ana.id, at: 1_000 }];
  const put = async () => {
    await use().append(batch(chat, 0, [text()], { questions: [question('q-ana')], calls }));
    const questions = [question('q-bob', { chatId: other, ownerId: bob.id })];
    const ofBob = { questions, head: { ownerId: bob.id } };
    await use().append(
      batch(other, 0, [text()], { ...ofBob, calls: calls.map((call) => ({ ...call, askerId: bob.id })) }),
    );
  };
  const ownedBy = async (ownerId: string) => ({
    chats: idsOf((await use().chats.list({ ownerId, limit: 9 })).items),
    questions: idsOf((await use().questions.list({ state: 'open', ownerId, limit: 9 })).items),
    calls: (
      await use().calls.recent({
        digest: 'pay-30',
        chatId: parseChatId('none'),
        askerId: ownerId,
        since: 0,
        limit: 9,
      })
    ).map(({ chatId }) => chatId),
  });
  const nothing = { chats: [], questions: [], calls: [] };

  it('moves only this person’s chats, questions and call marks to the other id', async () => {
    await put();
    const [ofAna, ofBob] = [await ownedBy(ana.id), await ownedBy(bob.id)];
    expect(ofAna).toEqual({ chats: [chat], questions: ['q-ana'], calls: [chat] });
    await use().chats.reassign(ana.id, now.id);
    expect(await ownedBy(ana.id)).toEqual(nothing);
    expect(await ownedBy(now.id)).toEqual(ofAna);
    expect(await ownedBy(bob.id)).toEqual(ofBob);
    expect((await use().chats.head(chat))?.ownerId).toBe(now.id);
  });

  it('changes no event, time, question or position in the feed', async () => {
    await put();
    const seen = async () => {
      const { ownerId: _owner, ...head } = (await use().chats.head(chat)) ?? { ownerId: '' };
      const changes = await use().questions.changes(0, 9);
      return {
        head,
        events: await use().events.read(chat, 0),
        changes: changes.map(({ change, question: { ownerId: _, ...rest } }) => ({ change, ...rest })),
        last: await use().questions.lastChange(),
      };
    };
    const before = await seen();
    await use().chats.reassign(ana.id, now.id);
    expect(await seen()).toEqual(before);
  });

  it('does nothing the second time, except for data added under the former id since', async () => {
    await put();
    await use().chats.reassign(ana.id, now.id);
    const moved = await ownedBy(now.id);
    await use().chats.reassign(ana.id, now.id);
    expect(await ownedBy(now.id)).toEqual(moved);
    const late = parseChatId('late');
    await use().append(batch(late, 0, [text()], { at: 2_000 }));
    await use().chats.reassign(ana.id, now.id);
    expect((await ownedBy(now.id)).chats).toEqual([late, chat]);
  });

  it('lets an active run that read the chat before continue, with the new owner', async () => {
    await put();
    const stale = batch(chat, 1, [text('more')], { at: 2_000 });
    await use().chats.reassign(ana.id, now.id);
    expect(await use().append(stale)).toBe('appended');
    expect((await use().chats.head(chat))?.ownerId).toBe(now.id);
  });

  it('refuses a writer that read the chat before, between runs', async () => {
    await put();
    await use().append(batch(chat, 1, [text('more')], { head: { status: 'waiting' } }));
    const next = (ownerId: string) => batch(chat, 2, [text('then')], { head: { ownerId } });
    await use().chats.reassign(ana.id, now.id);
    expect(await use().append(next(ana.id))).toBe('conflict');
    expect(await use().append(next(now.id))).toBe('appended');
  });

  it('does nothing for an unknown id', async () => {
    await put();
    const before = await ownedBy(ana.id);
    await use().chats.reassign('nobody', now.id);
    expect([await ownedBy(ana.id), await ownedBy(now.id)]).toEqual([before, nothing]);
  });
}
