import { expect, it } from 'vitest';
import type { FlowStore, SubscriptionStore, Undelivered } from '../../lib/log/store/index.ts';
import { parseChatId } from '../../lib/protocol/index.ts';
import { approval, batch, chat, question, text } from './store-batches.ts';
import type { UseStore } from './store-contract.ts';

/** The subscriptions of a store that has them. */
function subscriptionsOf({ subscriptions }: FlowStore): SubscriptionStore {
  if (!subscriptions) throw new Error('This store has no subscriptions.');
  return subscriptions;
}

const here = { owner: 'here', until: 2_000 };
const there = { owner: 'there', until: 9_000 };
const other = parseChatId('chat-2');

/** A delivery that was tried once. */
function undelivered(id: string, lane = 'q', more: Partial<Undelivered> = {}): Undelivered {
  const reference = { type: 'question.opened', chatId: chat, approvalId: approval('q') };
  return {
    subscriber: 's',
    id,
    lane,
    reference,
    attempts: 1,
    failedAt: 900,
    error: 'It failed.',
    dueAt: 1_500,
    ...more,
  };
}

/** Places of the feed, leases of subscriptions, and what they have not delivered. */
export function subscriptionsContract(use: UseStore): void {
  const subscriptions = () => subscriptionsOf(use());
  const commit = (more: Partial<Parameters<SubscriptionStore['commit']>[0]> = {}) =>
    subscriptions().commit({ id: 's', owner: 'here', until: 2_000, ...more });
  const idsIn = (list: readonly Undelivered[]) => list.map(({ id }) => id);
  const places = async (after = 0, limit = 10) => {
    const { items, ...page } = await subscriptions().feed(after, limit);
    const names = items.map((item) =>
      'question' in item ? item.question.id : `${item.chatId}:${item.event.seq}`,
    );
    return { names, ...page };
  };

  it('creates a subscription before the oldest change of a question that is open', async () => {
    await use().append(batch(chat, 0, [text()], { questions: [question('old', { state: 'denied' })] }));
    await use().append(batch(chat, 1, [text()], { questions: [question('a'), question('b')] }));
    expect(await subscriptions().state('s')).toBeUndefined();
    const state = { place: 1, began: 3, dueThrough: 1_000 };
    expect(await subscriptions().claim('s', here, 1_000)).toEqual(state);
    expect(await subscriptions().state('s')).toEqual({ ...state, ...here });
  });

  it('creates a subscription at the newest place if no question is open', async () => {
    await use().append(batch(chat, 0, [text()], { questions: [question('old', { state: 'denied' })] }));
    expect(await subscriptions().claim('s', here, 1_000)).toEqual({ place: 1, began: 1, dueThrough: 1_000 });
  });

  it('lends a subscription to one owner until the lease has ended, and each on its own', async () => {
    expect(await subscriptions().claim('s', here, 1_000)).toBeDefined();
    expect(await subscriptions().claim('s', there, 1_999)).toBeUndefined();
    expect(await subscriptions().claim('another', there, 1_999)).toBeDefined();
    expect(await subscriptions().claim('s', { ...here, until: 3_000 }, 1_999)).toBeDefined();
    expect(await subscriptions().claim('s', there, 2_999)).toBeUndefined();
    expect(await subscriptions().claim('s', there, 3_000)).toBeDefined();
    expect(await subscriptions().claim('s', here, 3_000)).toBeUndefined();
  });

  it('lends a new subscription to one of many that claim it at once', async () => {
    const owners = Array.from({ length: 8 }, (_, index) => ({ owner: `i-${index}`, until: 2_000 }));
    const claims = await Promise.all(owners.map((lease) => subscriptions().claim('s', lease, 1_000)));
    expect(claims.filter((state) => state !== undefined)).toHaveLength(1);
  });

  it('has a question where it last changed while it was open, or where it ended', async () => {
    await use().append(batch(chat, 0, [text()], { questions: [question('a'), question('b')] }));
    const settled = question('a', { state: 'approved' });
    await use().append(batch(chat, 1, [text()], { questions: [settled] }));
    const open = { place: 2, opened: 2, question: question('b') };
    expect((await subscriptions().feed(0, 10)).items).toEqual([
      open,
      { place: 3, opened: 1, question: settled },
    ]);
    const withdrawn = question('c', { state: 'superseded' });
    await use().append(batch(chat, 2, [text()], { questions: [settled, withdrawn] }));
    expect((await subscriptions().feed(0, 10)).items).toEqual([
      open,
      { place: 3, opened: 1, question: settled },
      { place: 5, opened: 5, question: withdrawn },
    ]);
    // A page that ends before the later change has it too.
    expect((await subscriptions().feed(2, 1)).items).toEqual([{ place: 3, opened: 1, question: settled }]);
  });

  it('records notices only while there is a subscription', async () => {
    await use().append(batch(chat, 0, [text()], { notices: [1] }));
    expect(await places()).toEqual({ names: [], through: 0, isFull: false });
    await subscriptions().claim('s', here, 1_000);
    await use().append(batch(chat, 1, [text(), text('second')], { notices: [2, 3] }));
    expect(await places()).toEqual({ names: ['chat-1:2', 'chat-1:3'], through: 2, isFull: false });
    const { items } = await subscriptions().feed(1, 10);
    expect(items).toEqual([
      { place: 2, chatId: chat, ownerId: 'ana', event: expect.objectContaining({ seq: 3, delta: 'second' }) },
    ]);
  });

  it('orders notices and changes of questions in one feed', async () => {
    await subscriptions().claim('s', here, 1_000);
    await use().append(batch(chat, 0, [text()], { notices: [1], questions: [question('a')] }));
    await use().append(batch(other, 0, [text()], { notices: [1] }));
    await use().append(batch(chat, 1, [text()], { questions: [question('b')] }));
    expect(await places()).toEqual({ names: ['a', 'chat-1:1', 'chat-2:1', 'b'], through: 4, isFull: false });
    expect(await use().questions.lastChange()).toBe(4);
    expect(await places(0, 1)).toEqual({ names: ['a'], through: 1, isFull: true });
    expect(await places(1, 1)).toEqual({ names: ['chat-1:1'], through: 2, isFull: true });
  });

  it('knows of a notice about a question where the question was opened', async () => {
    await subscriptions().claim('s', here, 1_000);
    await use().append(batch(chat, 0, [text()], { questions: [question('a'), question('b')] }));
    const step = { type: 'plugin-event', plugin: 'comments', name: 'added', approvalId: approval('b') };
    const escalated = question('b', { plugins: { comments: 1 } as never });
    const events = [step as never, text()];
    await use().append(batch(chat, 1, events, { notices: [2, 3], questions: [escalated] }));
    await use().append(batch(chat, 3, [text()], { questions: [question('b', { state: 'expired' })] }));
    const { items } = await subscriptions().feed(3, 10);
    expect(items).toEqual([
      { place: 4, opened: 2, chatId: chat, ownerId: 'ana', event: expect.objectContaining(step) },
      { place: 5, chatId: chat, ownerId: 'ana', event: expect.objectContaining({ seq: 3 }) },
      { place: 6, opened: 2, question: question('b', { state: 'expired' }) },
    ]);
  });

  it('refuses a notice of an event that is not in its batch', async () => {
    await expect(use().append(batch(chat, 0, [text()], { notices: [2] }))).rejects.toThrow(/notice 2/);
  });

  it('gives no place twice, also after an erasure and after notices were deleted', async () => {
    await subscriptions().claim('s', here, 1_000);
    await use().append(batch(chat, 0, [text()], { notices: [1] }));
    await commit({ place: 1 });
    await commit({ place: 1 });
    await use().chats.erase(chat, 'ana', 2_000);
    await use().append(
      batch(other, 0, [text()], { notices: [1], questions: [question('a', { chatId: other })] }),
    );
    expect(await places(1)).toEqual({ names: ['a', 'chat-2:1'], through: 3, isFull: false });
  });

  it('has no notice of an erased chat, nor of another chat in its place', async () => {
    await subscriptions().claim('s', here, 1_000);
    await use().append(batch(chat, 0, [text()], { notices: [1] }));
    await use().chats.erase(chat, 'ana', 2_000);
    await use().append(batch(other, 0, [text()]));
    expect((await places()).names).toEqual([]);
  });

  it('keeps notices until every subscription has passed them', async () => {
    await subscriptions().claim('s', here, 1_000);
    await subscriptions().claim('slow', here, 1_000);
    await use().append(batch(chat, 0, [text(), text()], { notices: [1, 2] }));
    await commit({ place: 2 });
    await commit({ place: 2 });
    expect((await places()).names).toEqual(['chat-1:1', 'chat-1:2']);
    await commit({ id: 'slow', place: 1 });
    await commit({ id: 'slow', place: 1 });
    expect((await places()).names).toEqual(['chat-1:2']);
  });

  it('finds open questions by a deadline within two times', async () => {
    const due = (id: string, deadline: number, more = {}) => question(id, { deadline, ...more });
    const questions = [
      due('a', 10),
      due('b', 11),
      due('c', 20),
      due('d', 21),
      due('e', 15, { state: 'denied' }),
    ];
    await use().append(batch(chat, 0, [text()], { questions: [...questions, question('f')] }));
    const found = await subscriptions().due(10, 20);
    expect(found.map(({ question: { id }, opened }) => [id, opened]).sort()).toEqual([
      ['b', 2],
      ['c', 3],
    ]);
  });

  it('commits for the owner of the lease, and for nobody else', async () => {
    await subscriptions().claim('s', here, 1_000);
    expect(await commit({ place: 5, dueThrough: 1_500, until: 3_000 })).toBe(true);
    const state = { place: 5, began: 0, dueThrough: 1_500, owner: 'here', until: 3_000 };
    expect(await subscriptions().state('s')).toEqual(state);
    expect(await commit({ owner: 'there', place: 6, put: [undelivered('one')] })).toBe(false);
    expect(await subscriptions().state('s')).toEqual(state);
    expect(await subscriptions().retries('s', 9_000, 10)).toEqual([]);
  });

  it('moves neither the place nor the time back', async () => {
    await subscriptions().claim('s', here, 1_000);
    await commit({ place: 5, dueThrough: 1_500 });
    await commit({ place: 4 });
    await commit({ dueThrough: 1_400 });
    expect(await subscriptions().state('s')).toMatchObject({ place: 5, dueThrough: 1_500 });
  });

  it('returns what was not delivered as it was kept, and replaces it in its place', async () => {
    await subscriptions().claim('s', here, 1_000);
    const odd = undelivered('odd', 'half a \ud83d pair\0');
    await commit({ put: [odd, undelivered('next', odd.lane), undelivered('other', 'other')] });
    expect(await subscriptions().lanes('s', [odd.lane])).toEqual([odd, undelivered('next', odd.lane)]);
    const again = { ...odd, attempts: 2, dueAt: 4_000 };
    await commit({ put: [again] });
    expect(await subscriptions().lanes('s', [odd.lane])).toEqual([again, undelivered('next', odd.lane)]);
    expect(await subscriptions().lanes('another', [odd.lane])).toEqual([]);
    expect(await subscriptions().lanes('s', [])).toEqual([]);
  });

  it('retries the first delivery of each lane when it is due', async () => {
    await subscriptions().claim('s', here, 1_000);
    const early = undelivered('x', 'x', { dueAt: 1_400 });
    await commit({ put: [undelivered('one'), undelivered('two', 'q', { dueAt: 1 }), early] });
    expect(idsIn(await subscriptions().retries('s', 1_399, 10))).toEqual([]);
    expect(idsIn(await subscriptions().retries('s', 1_500, 10))).toEqual(['x', 'one']);
    expect(idsIn(await subscriptions().retries('s', 1_500, 1))).toEqual(['x']);
    await commit({ drop: ['one', 'x', 'unknown'] });
    expect(idsIn(await subscriptions().retries('s', 1_500, 10))).toEqual(['two']);
  });

  it('lists dead deliveries, last given up first, and does not retry them', async () => {
    await subscriptions().claim('s', here, 1_000);
    const dead = [1, 2, 3].map((at) => undelivered(`dead-${at}`, 'q', { deadAt: at }));
    await commit({ put: [...dead, undelivered('alive')] });
    const first = await subscriptions().dead({ limit: 2 });
    expect(first.items).toEqual([dead[2], dead[1]]);
    const rest = await subscriptions().dead({
      limit: 2,
      ...(first.next !== undefined && { cursor: first.next }),
    });
    expect([idsIn(rest.items), rest.next]).toEqual([['dead-1'], undefined]);
    expect(idsIn(await subscriptions().retries('s', 9_000, 10))).toEqual(['alive']);
  });

  it('makes a dead delivery due again, once', async () => {
    await subscriptions().claim('s', here, 1_000);
    await commit({ put: [undelivered('dead', 'q', { deadAt: 1 }), undelivered('alive')] });
    const {
      failedAt: _failed,
      error: _error,
      ...fresh
    } = undelivered('dead', 'q', { attempts: 0, dueAt: 1_200 });
    expect(await subscriptions().revive('s', 'alive', 1_200)).toBe(false);
    expect(await subscriptions().revive('another', 'dead', 1_200)).toBe(false);
    expect(await subscriptions().revive('s', 'dead', 1_200)).toBe(true);
    expect(await subscriptions().revive('s', 'dead', 1_200)).toBe(false);
    expect(await subscriptions().lanes('s', ['q'])).toEqual([fresh, undelivered('alive')]);
  });

  it('forgets subscriptions whose lease ended long ago, with what they keep', async () => {
    await subscriptions().claim('s', here, 1_000);
    await subscriptions().claim('live', there, 1_000);
    await commit({ put: [undelivered('one', 'q', { deadAt: 1 })] });
    await subscriptions().forget(2_000);
    expect((await subscriptions().dead({ limit: 9 })).items).toHaveLength(1);
    await subscriptions().forget(2_001);
    expect(await subscriptions().state('s')).toBeUndefined();
    expect(await subscriptions().state('live')).toBeDefined();
    expect((await subscriptions().dead({ limit: 9 })).items).toEqual([]);
  });
}
