import { sqliteStore } from 'countersign/store';
import { fakeClock } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFlowClock } from '../../lib/log/flow-clock.ts';
import type { Undelivered } from '../../lib/log/store/index.ts';
import { createSubscriptionLease } from '../../lib/plugins/subscriptions/hold-lease.ts';

const leaseMs = 10_000;

/** Two instances that share a subscription. Each has timers of its own: one that is not scheduled fires none. */
function twoInstances() {
  const time = fakeClock();
  const store = sqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  const { subscriptions } = store;
  if (!subscriptions) throw new Error('The store has no subscriptions.');
  const instance = (owner: string) => {
    const timers = fakeClock();
    const clock = createFlowClock({}, { now: time.now, after: timers.after });
    const ended = new AbortController().signal;
    return {
      timers,
      ...createSubscriptionLease({ subscriptions, id: 'hook', owner, leaseMs, clock, ended }),
    };
  };
  return { time, subscriptions, here: instance('here'), there: instance('there') };
}

const failed: Undelivered = {
  ...{ subscriber: 'hook', id: 'event-1', lane: 'question-1', attempts: 1, dueAt: 0 },
  reference: { type: 'turn.ended', chatId: 'chat' as never, seq: 1 },
};

describe('the lease of a subscription', () => {
  it('is not that of before, if another instance has had it in between', async () => {
    const { time, subscriptions, here, there } = twoInstances();
    const before = await here.take();
    time.advance(leaseMs);
    const meanwhile = await there.take();
    expect(await meanwhile?.commit({ place: 0 })).toBe(true);
    time.advance(leaseMs);
    const after = await here.take();
    expect(after).toBeDefined();
    // What this instance began before would be delivered again.
    expect(await before?.commit({ put: [failed] })).toBe(false);
    expect(await subscriptions.retries('hook', time.now(), 10)).toEqual([]);
    expect(await after?.commit({ put: [failed] })).toBe(true);
    expect(await subscriptions.retries('hook', time.now(), 10)).toHaveLength(1);
  });

  it('ends deliveries that are under way, if another instance has had it in between', async () => {
    const { time, here, there } = twoInstances();
    const held = await here.take();
    let signal: AbortSignal | undefined;
    void held?.during((given) => {
      signal = given;
      return new Promise(() => {});
    });
    time.advance(leaseMs);
    const meanwhile = await there.take();
    time.advance(leaseMs);
    here.timers.advance(leaseMs / 2);
    await expect.poll(() => signal?.aborted).toBe(true);
    expect(await meanwhile?.commit({ place: 0 })).toBe(true);
  });

  it('is still that of before, if nobody took it while it was not extended', async () => {
    const { time, here } = twoInstances();
    const held = await here.take();
    time.advance(3 * leaseMs);
    expect(await held?.commit({ put: [failed] })).toBe(true);
  });

  it('is shared by what one instance does at the same time', async () => {
    const { time, here, there } = twoInstances();
    const [one, other] = await Promise.all([here.take(), here.take()]);
    time.advance(leaseMs - 1);
    expect(await one?.commit({})).toBe(true);
    time.advance(leaseMs - 1);
    expect(await there.take()).toBeUndefined();
    expect(await other?.commit({ put: [failed] })).toBe(true);
    await here.release();
    expect(await there.take()).toBeDefined();
  });
});
