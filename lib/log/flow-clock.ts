import { type Clock, CountersignError, type Logger } from '../protocol/index.ts';
import type { FlowStore } from './store-port.ts';

/** The clock that a flow goes by: that of its store where it has one, else that of this instance. */
export type FlowClock = Clock & {
  /** Epoch milliseconds, as near as is known without asking: for what is recorded. */
  now(): number;
  /** The same when it is surely right, else `undefined`. */
  known(): number | undefined;
  /**
   * The same, asked of the store if it must be: for whatever ends by time. Costs no query while it is known.
   *
   * @throws CountersignError `internal` when the store cannot say; nothing may end then
   */
  sure(): Promise<number>;
  /** Milliseconds by which this instance's own clock is ahead; `undefined` while that is not known. */
  aheadMs(): number | undefined;
};

/**
 * Makes the clock of a flow.
 *
 * @param clock this instance's own: its timers count, and its time where the store has none
 * @source ADR 0013
 */
export function createFlowClock({ clock: shared }: Pick<FlowStore, 'clock'>, clock: Clock): FlowClock {
  const own = () => clock.now();
  const steady = () => clock.monotonic?.() ?? clock.now();
  const ports = { monotonic: steady, after: (ms: number, callback: () => void) => clock.after(ms, callback) };
  if (!shared) return { ...ports, now: own, known: own, sure: async () => clock.now(), aheadMs: () => 0 };

  /** What was last known, less the monotonic clock. */
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

/** A difference that is worth a word. */
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
