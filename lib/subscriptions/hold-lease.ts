import type { FlowClock } from '../log/flow-clock.ts';
import type { SubscriptionState, SubscriptionStore } from '../log/subscription-port.ts';

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

/** The lease of one subscription, as this instance sees it. */
export type SubscriptionLease = {
  /** The state, unless another instance has the lease. Creates the subscription if it does not exist. */
  look(): Promise<SubscriptionState | undefined>;
  /** Takes the lease, or extends it. `undefined` if another instance has it. */
  take(): Promise<SubscriptionState | undefined>;
  /** The end of a lease that begins now. */
  until(): Promise<number>;
  /**
   * Does work while the lease is extended.
   *
   * @param work its signal aborts if the lease is lost, and when the instance ends
   */
  during<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  /** Lets another instance continue immediately. */
  release(): Promise<void>;
};

/** @source ADR 0043.6 */
export function createSubscriptionLease(settings: LeaseSettings): SubscriptionLease {
  const { subscriptions, id, owner, leaseMs, clock, ended } = settings;
  let hasHeld = false;

  /** @see SubscriptionLease.take */
  async function take(): Promise<SubscriptionState | undefined> {
    const now = await clock.sure();
    const state = await subscriptions.claim(id, { owner, until: now + leaseMs }, now);
    hasHeld ||= state !== undefined;
    return state;
  }

  async function keep(lost: AbortController): Promise<void> {
    // If the store fails, the next attempt may succeed before the lease has ended.
    const state = await take().catch(() => 'unknown' as const);
    if (state === undefined) lost.abort();
  }

  return {
    take,
    until: async () => (await clock.sure()) + leaseMs,

    async look() {
      const state = await subscriptions.state(id);
      if (!state) return take();
      return state.owner === owner || state.until <= (await clock.sure()) ? state : undefined;
    },

    async during(work) {
      const lost = new AbortController();
      let isOver = false;
      let cancel = () => {};
      const beat = () => {
        if (!isOver) cancel = clock.after(leaseMs / 3, () => void keep(lost).then(beat));
      };
      beat();
      try {
        return await work(AbortSignal.any([lost.signal, ended]));
      } finally {
        isOver = true;
        cancel();
      }
    },

    async release() {
      if (!hasHeld) return;
      const now = await clock.sure();
      await subscriptions.commit({ id, owner, until: now });
    },
  };
}
