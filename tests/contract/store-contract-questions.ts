import { describe, expect, it } from 'vitest';
import { parseChatId, type Question, type QuestionState } from '../../lib/protocol/index.ts';
import { ana, approval, batch, chat, idsOf, question, text } from './store-batches.ts';
import type { UseStore } from './store-contract.ts';

/** Questions by id, by state, by page, and as a feed of changes. */
export function questionsContract(use: UseStore): void {
  let after = 0;
  const put = async (...questions: Question[]) => {
    after = (await use().chats.head(chat))?.seq ?? 0;
    expect(await use().append(batch(chat, after, [text()], { questions }))).toBe('appended');
  };
  const answer = { approved: true, reason: 'fine', by: ana, at: 2_000, via: 'sse' } as const;

  it('returns a question, as asked and then as answered', async () => {
    const asked = question('q', { risk: 'high', deadline: 9_000, position: { index: 1, of: 2 } });
    await put(asked);
    expect(await use().questions.read(asked.id)).toEqual(asked);
    const settled: Question = { ...asked, state: 'approved', answer: { ...answer, input: { amount: 20 } } };
    await put(settled);
    expect(await use().questions.read(asked.id)).toEqual(settled);
    expect(await use().questions.read(approval('unknown'))).toBeUndefined();
  });

  it.each<QuestionState>(['open', 'approved', 'denied', 'superseded', 'expired', 'cancelled'])(
    'finds the questions that are %s',
    async (state) => {
      const states: QuestionState[] = ['open', 'approved', 'denied', 'superseded', 'expired', 'cancelled'];
      await put(...states.map((each) => question(each, { state: each })));
      expect(idsOf((await use().questions.list({ state, limit: 9 })).items)).toEqual([state]);
      expect(idsOf((await use().questions.list({ state, ownerId: 'ana', limit: 9 })).items)).toEqual([state]);
      expect((await use().questions.list({ state, ownerId: 'bob', limit: 9 })).items).toEqual([]);
    },
  );

  it('finds the open questions that are due, the longest due first', async () => {
    await put(
      question('never'),
      question('later', { deadline: 5_001 }),
      question('due', { deadline: 5_000 }),
      question('long', { deadline: 2_000 }),
      question('settled', { deadline: 2_000, state: 'denied' }),
    );
    expect(idsOf(await use().questions.due(5_000, 9))).toEqual(['long', 'due']);
    expect(idsOf(await use().questions.due(5_000, 1))).toEqual(['long']);
    expect(await use().questions.due(1_999, 9)).toEqual([]);
  });

  it('lists the oldest first, of all owners or of one', async () => {
    await put(question('late', { requestedAt: 3_000 }), question('early', { requestedAt: 1_000 }));
    const other = parseChatId('other');
    const theirs = question('theirs', { chatId: other, ownerId: 'bob', requestedAt: 2_000 });
    await use().append(batch(other, 0, [text()], { head: { ownerId: 'bob' }, questions: [theirs] }));
    const list = async (ownerId?: string) =>
      idsOf((await use().questions.list({ state: 'open', ownerId, limit: 9 })).items);
    expect(await list()).toEqual(['early', 'theirs', 'late']);
    expect(await list('ana')).toEqual(['early', 'late']);
    expect(await list('bob')).toEqual(['theirs']);
  });

  it.each([undefined, 'ana'])(
    'pages through simultaneous questions in the order they were asked (owner %s)',
    async (ownerId) => {
      await put(...['a', 'b', 'c', 'd'].map((id) => question(id)));
      const list = (cursor?: string) => use().questions.list({ state: 'open', ownerId, cursor, limit: 2 });
      const first = await list();
      expect(idsOf(first.items)).toEqual(['a', 'b']);
      await put(question('a', { state: 'approved' }), question('e'), question('old', { requestedAt: 1 }));
      const second = await list(first.next);
      expect(idsOf(second.items)).toEqual(['c', 'd']);
      const third = await list(second.next);
      expect(idsOf(third.items)).toEqual(['e']);
      expect(third.next).toBeUndefined();
    },
  );

  describe('lists settled questions, the latest asked first', () => {
    const states: QuestionState[] = [
      'approved',
      'denied',
      'superseded',
      'expired',
      'cancelled',
      'tool-changed',
    ];
    const settled = async (
      query: { ownerId?: string; before?: number; cursor?: string; limit?: number } = {},
    ) => {
      const page = await use().questions.settled?.({ limit: 9, ...query });
      expect(page, 'a store of the package lists them').toBeDefined();
      return { ids: idsOf(page?.items ?? []), cursors: page?.cursors ?? [], next: page?.next };
    };

    it('of every state but open, by owner, and before a time', async () => {
      await put(
        question('open'),
        ...states.map((state, index) => question(state, { state, requestedAt: 1_000 + index })),
      );
      const other = parseChatId('other');
      const theirs = question('theirs', {
        chatId: other,
        ownerId: 'bob',
        requestedAt: 1_001,
        state: 'denied',
      });
      await use().append(batch(other, 0, [text()], { head: { ownerId: 'bob' }, questions: [theirs] }));
      const latest = states.toReversed();
      expect((await settled({ ownerId: 'ana' })).ids).toEqual(latest);
      expect((await settled({ ownerId: 'bob' })).ids).toEqual(['theirs']);
      expect((await settled()).ids).toEqual([...latest.slice(0, 4), 'theirs', ...latest.slice(4)]);
      expect((await settled({ before: 1_001 })).ids).toEqual(['approved']);
      expect((await settled({ before: 1_001, ownerId: 'bob' })).ids).toEqual([]);
    });

    it.each([undefined, 'ana'])(
      'page by page, also those of one moment, whatever is settled meanwhile (owner %s)',
      async (ownerId) => {
        const mine = ownerId === undefined ? {} : { ownerId };
        const ids = ['a', 'b', 'c', 'd', 'e'];
        await put(...ids.map((id, index) => question(id, { state: index % 2 ? 'denied' : 'approved' })));
        const first = await settled({ ...mine, limit: 2 });
        expect(first.ids).toEqual(['e', 'd']);
        await put(question('new', { state: 'denied', requestedAt: 9_000 }));
        const second = await settled({ ...mine, limit: 2, cursor: first.next ?? '' });
        expect(second.ids).toEqual(['c', 'b']);
        const third = await settled({ ...mine, limit: 2, cursor: second.next ?? '' });
        expect([third.ids, third.next]).toEqual([['a'], undefined]);
        // And after any of them, not only the last.
        expect((await settled({ ...mine, cursor: first.cursors[0] ?? '' })).ids).toEqual([
          'd',
          'c',
          'b',
          'a',
        ]);
      },
    );
  });

  it('has an empty feed at first', async () => {
    expect(await use().questions.lastChange()).toBe(0);
    expect(await use().questions.changes(0, 9)).toEqual([]);
  });

  it('returns each question once in the feed, in its current state, in the order of the last changes', async () => {
    await put(question('a'), question('b'));
    const seen = await use().questions.lastChange();
    await put(question('a', { state: 'denied' }));
    await put(question('c'));
    const all = await use().questions.changes(0, 9);
    expect(all.map((change) => `${change.question.id} ${change.question.state}`)).toEqual([
      'b open',
      'a denied',
      'c open',
    ]);
    const places = all.map(({ change }) => change);
    expect(places).toEqual([...new Set(places)].toSorted((a, b) => a - b));
    expect(places.at(-1)).toBe(await use().questions.lastChange());
    const news = await use().questions.changes(seen, 9);
    expect(news.map((change) => change.question.id)).toEqual(['a', 'c']);
    expect(await use().questions.changes(seen, 1)).toEqual(news.slice(0, 1));
  });

  it('follows each question to where it last changed while it was open, or where it ended', async () => {
    await put(question('a'), question('b'));
    await put(question('b', { plugins: { comments: 1 } as never }));
    await put(question('a', { state: 'approved' }));
    const withdrawn = question('c', { state: 'superseded' });
    await put(withdrawn);
    // Its outcome becomes known.
    const known = question('a', { state: 'approved', outcome: 'failed' } as never);
    await put(known);
    const feed = await use().questions.feed(0, 9);
    expect(feed.map(({ place, question: { id } }) => [place, id])).toEqual([
      [3, 'b'],
      [4, 'a'],
      [5, 'c'],
    ]);
    expect(feed[1]?.question).toEqual(known);
    expect(await use().questions.feed(3, 1)).toEqual([{ place: 4, opened: 1, question: known }]);
    expect(await use().questions.feed(4, 9)).toEqual([{ place: 5, opened: 5, question: withdrawn }]);
    expect(await use().questions.feed(5, 9)).toEqual([]);
  });

  it('takes no position in the feed for a batch that conflicts', async () => {
    await put(question('a'));
    const before = await use().questions.lastChange();
    await use().append(batch(chat, 9, [text()], { questions: [question('b')] }));
    expect(await use().questions.lastChange()).toBe(before);
  });

  it('never lets one chat take over the question of another', async () => {
    await put(question('q'));
    const other = parseChatId('other');
    const theft = batch(other, 0, [text()], {
      questions: [question('q', { chatId: other, state: 'denied' })],
    });
    await expect(use().append(theft)).rejects.toMatchObject({ code: 'internal' });
    expect(await use().questions.read(approval('q'))).toEqual(question('q'));
    expect(await use().chats.head(other)).toBeUndefined();
  });
}
