import { expect, it } from 'vitest';
import type { FlowStore, InsightsStore } from '../../lib/log/store/index.ts';
import type { Question } from '../../lib/protocol/index.ts';
import { batch, chat, question, text } from './store-batches.ts';
import type { UseStore } from './store-contract.ts';

/** The counts of a store that keeps them. */
function insightsOf({ insights }: FlowStore): InsightsStore {
  if (!insights) throw new Error('This store has no insights.');
  return insights;
}

/** Counts of settled questions. */
export function insightsContract(use: UseStore): void {
  const insights = () => insightsOf(use());
  const read = async (...days: number[]) => {
    const { place, days: counted } = await insights().read(days);
    return { place, days: counted.toSorted((one, other) => one.day - other.day) };
  };

  it('begin before the first change, without a day', async () => {
    expect(await read(1, 2)).toEqual({ place: 0, days: [] });
  });

  it('have the days that were written last, as they were, and only the requested ones', async () => {
    const counts = JSON.stringify(['\0', '\ud83d', 'ß', '"']);
    const days = [1, 2, 20_000].map((day) => ({ day, counts }));
    expect(await insights().write({ from: 0, to: 7, days, keepFrom: 0 })).toBe(true);
    expect(await insights().write({ from: 7, to: 9, days: [{ day: 2, counts: 'new' }], keepFrom: 0 })).toBe(
      true,
    );
    expect(await read(2, 3, 20_000)).toEqual({
      place: 9,
      days: [
        { day: 2, counts: 'new' },
        { day: 20_000, counts },
      ],
    });
  });

  it('move past changes that add nothing', async () => {
    expect(await insights().write({ from: 0, to: 3, days: [], keepFrom: 0 })).toBe(true);
    expect(await read()).toEqual({ place: 3, days: [] });
  });

  it('are written once if two instances count the same changes', async () => {
    const write = (counts: string) =>
      insights().write({ from: 0, to: 5, days: [{ day: 1, counts }], keepFrom: 0 });
    const written = await Promise.all(['one', 'two', 'three'].map(write));
    expect(written.filter(Boolean)).toHaveLength(1);
    const counts = ['one', 'two', 'three'][written.indexOf(true)];
    expect(await read(1)).toEqual({ place: 5, days: [{ day: 1, counts }] });
    expect(await write('late')).toBe(false);
    expect(await read(1)).toEqual({ place: 5, days: [{ day: 1, counts }] });
  });

  it('follow each question to where it last changed while it was open, or where it ended', async () => {
    const ask = (after: number, ...questions: Question[]) =>
      use().append(batch(chat, after, [text()], { questions }));
    await ask(0, question('a'), question('b'));
    await ask(1, question('b', { plugins: { comments: 1 } as never }));
    await ask(2, question('a', { state: 'approved' }));
    const withdrawn = question('c', { state: 'superseded' });
    await ask(3, withdrawn);
    // Its outcome becomes known.
    const known = question('a', { state: 'approved', outcome: 'failed' } as never);
    await ask(4, known);
    const feed = await insights().feed(0, 9);
    expect(feed.map(({ place, question: { id } }) => [place, id])).toEqual([
      [3, 'b'],
      [4, 'a'],
      [5, 'c'],
    ]);
    expect(feed[1]?.question).toEqual(known);
    expect(await insights().feed(3, 1)).toEqual([{ place: 4, opened: 1, question: known }]);
    expect(await insights().feed(4, 9)).toEqual([{ place: 5, opened: 5, question: withdrawn }]);
    expect(await insights().feed(5, 9)).toEqual([]);
  });

  it('forget the days before a given one', async () => {
    const days = [1, 2, 3].map((day) => ({ day, counts: 'x' }));
    await insights().write({ from: 0, to: 1, days, keepFrom: 0 });
    await insights().write({ from: 0, to: 9, days: [], keepFrom: 4 });
    expect((await read(1, 2, 3)).days).toHaveLength(3);
    await insights().write({ from: 1, to: 2, days: [], keepFrom: 3 });
    expect((await read(1, 2, 3)).days).toEqual([{ day: 3, counts: 'x' }]);
  });

  it('outlive the chats that they were counted in', async () => {
    await use().append(batch(chat, 0, [text()], { questions: [question('q', { state: 'denied' })] }));
    await insights().write({ from: 0, to: 1, days: [{ day: 1, counts: 'x' }], keepFrom: 0 });
    await use().chats.erase(chat, 'ana', 5_000);
    expect(await read(1)).toEqual({ place: 1, days: [{ day: 1, counts: 'x' }] });
  });
}
