import type { FlowClock } from '../../log/flow-clock.ts';
import type { SubscriptionState, SubscriptionStore } from '../../log/store/index.ts';

/** Who works on a subscription, and for how long after it was last heard of. */
export type LeaseSettings = {
  readonly subscriptions: SubscriptionStore;
  readonly id: string;
  readonly owner: string;
  readonly leaseMs: number;
  readonly clock: FlowClock;
  /** Aborts when the instance does not wait any longer. */
  readonly ended: AbortSignal;
};

/** The result of deliveries. @see SubscriptionStore.commit */
type DeliveryResult = Omit<Parameters<SubscriptionStore['commit']>[0], 'id' | 'owner' | 'until'>;

/** The lease of one subscription, as this instance sees it. */
export type SubscriptionLease = {
  /** The state, unless another instance has the lease. Creates the subscription if it does not exist. */
  look(): Promise<SubscriptionState | undefined>;
  /** Takes the lease, or extends it. `undefined` if another instance has it. */
  take(): Promise<HeldLease | undefined>;
  /** Lets another instance continue immediately. */
  release(): Promise<void>;
};

/** The lease, from when it was taken until another instance takes it. */
export type HeldLease = {
  /** As of when it was taken. */
  readonly state: SubscriptionState;
  /**
   * Does work while the lease is extended.
   *
   * @param work its signal aborts if the lease is lost, and when the instance ends
   */
  during<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  /**
   * Writes the result of deliveries, and extends the lease.
   *
   * @returns false, and nothing is written, if another instance has had the lease since, even if it has ended
   */
  commit(result: DeliveryResult): Promise<boolean>;
};

/** A time without a gap in which this instance has the lease. Each has a name of its own. */
type Term = { readonly name: string; until: number };

/** @source ADR 0043.6 */
export function createSubscriptionLease(settings: LeaseSettings): SubscriptionLease {
  const { subscriptions, id, owner, leaseMs, clock, ended } = settings;
  let term: Term | undefined;
  let terms = 0;
  let taken: Promise<unknown> = Promise.resolve();

  async function takeNow(): Promise<HeldLease | undefined> {
    const now = await clock.sure();
    const until = now + leaseMs;
    // After a gap, the result of what began before it must not be written: another instance may have continued.
    const held = term && now < term.until ? term : { name: `${owner}.${terms}`, until };
    terms += 1;
    const state = await subscriptions.claim(id, { owner: held.name, until }, now);
    if (!state) return undefined;
    held.until = until;
    term = held;
    return {
      state,
      during: (work) => during(held, work),
      commit: (result) => commit(held, result),
    };
  }

  async function commit(held: Term, result: DeliveryResult): Promise<boolean> {
    const until = (await clock.sure()) + leaseMs;
    const isHeld = await subscriptions.commit({ id, owner: held.name, until, ...result });
    if (isHeld) held.until = until;
    return isHeld;
  }

  async function keep(held: Term, lost: AbortController): Promise<void> {
    // If the store fails, the next attempt may succeed before another instance takes the lease.
    const isHeld = await commit(held, {}).catch(() => true);
    if (!isHeld) lost.abort();
  }

  async function during<Result>(held: Term, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const lost = new AbortController();
    let isOver = false;
    let cancel = () => {};
    const beat = () => {
      if (!isOver) cancel = clock.after(leaseMs / 3, () => void keep(held, lost).then(beat));
    };
    beat();
    try {
      return await work(AbortSignal.any([lost.signal, ended]));
    } finally {
      isOver = true;
      cancel();
    }
  }

  /** One at a time, so that two pieces of work share a term. */
  function take(): Promise<HeldLease | undefined> {
    const next = taken.then(takeNow);
    taken = next.catch(() => {});
    return next;
  }

  return {
    take,

    async look() {
      const state = await subscriptions.state(id);
      if (!state) return (await take())?.state;
      return state.owner === term?.name || state.until <= (await clock.sure()) ? state : undefined;
    },

    async release() {
      if (!term) return;
      const now = await clock.sure();
      await subscriptions.commit({ id, owner: term.name, until: now });
    },
  };
}
