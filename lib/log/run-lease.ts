import type { FlowClock } from './flow-clock.ts';
import type { FlowStore } from './store/index.ts';

/** How much of a lease must be left for a call to start. */
const marginOf = (leaseMs: number) => leaseMs / 5;

/** A moment by both clocks. The monotonic one does not jump; the flow's advances while this machine is suspended. */
export type Moment = { readonly steady: number; readonly wall: number };

/** Now. */
export function momentOf(clock: FlowClock): Moment {
  const wall = clock.now();
  return { wall, steady: clock.monotonic?.() ?? wall };
}

/**
 * A writer's lease on a chat, as it was last confirmed. It is measured from before the request that took or
 * renewed it, and by both clocks, so no other instance can have taken the run while it lasts.
 *
 * @param renewUntil asks the store for the lease until a time (epoch milliseconds); false when another has it
 * @source ADR 0019
 */
export function createRunLease({
  clock,
  leaseMs,
  renewUntil,
}: {
  readonly clock: FlowClock;
  readonly leaseMs: number;
  readonly renewUntil: (until: number, now: number) => ReturnType<FlowStore['runs']['claimLease']>;
}) {
  let since: Moment | undefined;
  let hasLapsed = false;

  const moment = () => momentOf(clock);

  /** Milliseconds that are certainly left, by the clock that shows less; 0 if the time is unknown. */
  function remainingMs(): number {
    if (!since || clock.known() === undefined) return 0;
    const { wall, steady } = moment();
    return leaseMs - Math.max(wall - since.wall, steady - since.steady);
  }

  return {
    moment,

    /** The lease was taken, together with an append, by a request that began at this moment. */
    taken(from: Moment): void {
      since = from;
      hasLapsed = false;
    },

    /** True if enough of the lease is left and it never lapsed, so no other instance has written. Synchronous. */
    isSure: (): boolean => !hasLapsed && remainingMs() > marginOf(leaseMs),

    /** True if it has ended by these clocks: another instance may have the run. Synchronous. */
    isOver: (): boolean => since !== undefined && clock.known() !== undefined && remainingMs() <= 0,

    /** True if it ended before it was renewed: another instance may have held it in between. */
    get hasLapsed(): boolean {
      return hasLapsed;
    },

    /** Call when the log was read after the renewal and contains no events of other instances. */
    verified(): void {
      hasLapsed = false;
    },

    /**
     * Extends the lease.
     *
     * @returns false when another instance has it, or the run is over
     * @throws CountersignError `internal` from the store, including when it does not know the time
     */
    async renew(): Promise<boolean> {
      await clock.sure();
      const from = moment();
      const isRenewed = await renewUntil(from.wall + leaseMs, from.wall);
      if (!isRenewed) return false;
      if (since && remainingMs() <= 0) hasLapsed = true;
      since = from;
      return true;
    },
  };
}

export type RunLease = ReturnType<typeof createRunLease>;
