import { expect, it } from 'vitest';
import { createRecentEvents } from '../../lib/log/follow/recent-events.ts';
import type { Append, StoreChange } from '../../lib/log/store/index.ts';
import { batch, chat, run, text } from '../contract/store-batches.ts';

/** Recent events of a store whose notifications a test sends itself. */
function open() {
  let tell: (wake: StoreChange) => void = () => {};
  const recentEvents = createRecentEvents({
    subscribe(listener) {
      tell = listener;
      return () => {};
    },
  });
  const write = (append: Append) => recentEvents.write(append, async () => 'appended');
  return { recentEvents, write, tell: (wake: StoreChange) => tell(wake) };
}

/** The first two batches of one turn. */
const first = batch(chat, 0, [text(), text()], { head: { turnSeq: 1, runId: run() } });
const second = batch(chat, 2, [text()], { head: { turnSeq: 1, runId: run() } });
const seqs = (events: readonly { seq: number }[] | undefined) => events?.map(({ seq }) => seq);

it('knows the open turn of a log that was written here', async () => {
  const { recentEvents, write } = open();
  await write(first);
  await write(second);
  expect(seqs(recentEvents.turnOf(second.head))).toEqual([1, 2, 3]);
  expect(seqs(recentEvents.after(second.head, 1, 100))).toEqual([2, 3]);
  expect(seqs(recentEvents.after(second.head, 1, 1))).toEqual([2]);
});

it.each([
  ['another instance has continued since', { seq: 4 }],
  ['another run has begun since', { runId: run(2) }],
  ['another chat has begun under the same id', { createdAt: 77 }],
  ['a later turn is open', { turnSeq: 3 }],
])('does not return the open turn when %s', async (_, difference) => {
  const { recentEvents, write } = open();
  await write(first);
  await write(second);
  expect(recentEvents.turnOf({ ...second.head, ...difference })).toBeUndefined();
});

it('returns nothing to a reader whose next event was not written here', async () => {
  const { recentEvents, write } = open();
  await write(second);
  expect(recentEvents.after(second.head, 0, 100)).toEqual([]);
  expect(recentEvents.after(second.head, 3, 100)).toEqual([]);
  expect(seqs(recentEvents.after(second.head, 2, 100))).toEqual([3]);
});

it('returns nothing across events that another instance has written', async () => {
  const { recentEvents, write } = open();
  const later = batch(chat, 4, [text()], { head: { turnSeq: 1, runId: run() } });
  await write(first);
  await write(later);
  expect(recentEvents.after(later.head, 2, 100)).toEqual([]);
  expect(seqs(recentEvents.after(later.head, 4, 100))).toEqual([5]);
});

it('keeps nothing of a refused append', async () => {
  const { recentEvents } = open();
  await recentEvents.write(first, async () => 'conflict');
  expect(recentEvents.after(first.head, 0, 100)).toEqual([]);
});

it('keeps nothing of an erased chat, not even of a later acknowledgement', async () => {
  const { recentEvents, write, tell } = open();
  await write(first);
  await recentEvents.write(second, async () => {
    tell({ chatId: chat, reason: 'erase' });
    return 'appended';
  });
  expect(recentEvents.after(second.head, 0, 100)).toEqual([]);
  expect(recentEvents.after(second.head, 2, 100)).toEqual([]);
});

it('says how far a log reaches by notifications, and that it cannot know without listening', async () => {
  const { recentEvents, write, tell } = open();
  expect(recentEvents.announced(first.head)).toBe(Number.POSITIVE_INFINITY);
  await write(first);
  tell({ chatId: chat, reason: 'append', seq: 5 });
  expect(recentEvents.announced(first.head)).toBe(5);
  tell({ chatId: chat, reason: 'append' });
  expect(recentEvents.announced(first.head)).toBe(Number.POSITIVE_INFINITY);
});

it('lets a reader wait for the append with its next event, and for no other', async () => {
  const { recentEvents, write } = open();
  await write(first);
  const { promise: acknowledged, resolve } = Promise.withResolvers<'appended'>();
  const writing = recentEvents.write(second, () => acknowledged);
  expect(recentEvents.writing(second.head, 2)).toBeUndefined();
  expect(recentEvents.writing(second.head, 4)).toBeUndefined();
  const settled = recentEvents.writing(second.head, 3);
  resolve('appended');
  await settled;
  expect(seqs(recentEvents.after(second.head, 2, 100))).toEqual([3]);
  await writing;
  expect(recentEvents.writing(second.head, 3)).toBeUndefined();
});

it('keeps what was read only up to the head that it was read for', async () => {
  const { recentEvents } = open();
  recentEvents.learn(first.head, [...first.events, ...second.events]);
  expect(recentEvents.turnOf(first.head)).toBeUndefined();
  recentEvents.learn(second.head, [...first.events, ...second.events]);
  expect(seqs(recentEvents.turnOf(second.head))).toEqual([1, 2, 3]);
});
