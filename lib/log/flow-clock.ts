import { steadyTime } from '../protocol/clock/clock.ts';
import { type Clock, CountersignError, type Logger } from '../protocol/index.ts';
import type { FlowStore } from './store/index.ts';

/** The clock that a flow uses: the store's if it has one, otherwise that of this instance. */
export type FlowClock = Clock & {
  /** Epoch milliseconds, as precisely as is known without a query: for recorded times. */
  now(): number;
  /** The same if it is reliable, otherwise `undefined`. */
  known(): number | undefined;
  /**
   * The same, queried from the store if necessary: for everything that expires. Costs no query while it is
   * known.
   *
   * @throws CountersignError `internal` when the store does not know the time; nothing may expire then
   */
  sure(): Promise<number>;
  /** Milliseconds by which this instance's own clock is ahead; `undefined` while that is not known. */
  aheadMs(): number | undefined;
};

/** The store's time, if it has a clock; otherwise, and for timers, this instance's. @source ADR 0013 */
export function createFlowClock({ clock: shared }: Pick<FlowStore, 'clock'>, clock: Clock): FlowClock {
  const own = () => clock.now();
  const steady = () => steadyTime(clock);
  const ports = { monotonic: steady, after: (ms: number, callback: () => void) => clock.after(ms, callback) };
  if (!shared) return { ...ports, now: own, known: own, sure: async () => clock.now(), aheadMs: () => 0 };

  /** The last known time minus the monotonic clock. */
  let ahead: number | undefined;
  function known(): number | undefined {
    const now = shared?.now();
    if (now !== undefined) ahead = now - steady();
    return now;
  }
  return {
    ...ports,
    known,
    now: () => known() ?? (ahead === undefined ? clock.now() : Math.round(steady() + ahead)),
    async sure() {
      const now = known();
      if (now !== undefined) return now;
      await shared.measure();
      const measured = known();
      if (measured === undefined) throw unknownTime();
      return measured;
    },
    aheadMs() {
      const now = known();
      return now === undefined ? undefined : clock.now() - now;
    },
  };
}

/** A difference that is worth a warning. */
const noticedMs = 1_000;

/** @returns a check that warns once each time this instance's clock begins to differ from the store's */
export function createSkewWatch(clock: FlowClock, logger: Logger): () => void {
  let warned = false;
  return () => {
    const aheadMs = clock.aheadMs();
    if (aheadMs === undefined) return;
    const differs = Math.abs(aheadMs) > noticedMs;
    if (differs && !warned) {
      logger.warn("This machine's clock differs from the store's, which counts. Keep it in step (NTP).", {
        aheadMs: Math.round(aheadMs),
      });
    }
    warned = differs;
  };
}

function unknownTime(): CountersignError {
  const text = 'The time of the store is not known. Trying again is safe.';
  return new CountersignError('internal', text, {}, { transient: true });
}
