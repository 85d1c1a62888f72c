/** Returns the server's time in epoch milliseconds, including fractions. */
export type AskTime = () => Promise<number>;

type Sample = {
  /** The server's clock minus the monotonic clock of this process, accurate to `errorMs`. */
  readonly aheadMs: number;
  /** Half the round trip. */
  readonly errorMs: number;
  /** When the response arrived, by both clocks of this process. */
  readonly steady: number;
  readonly wall: number;
};

/** Measurements per series; the one with the shortest round trip is used. */
const looks = 4;
/** A measurement with a larger error is not precise enough. */
const mostErrorMs = 1_000;
/** How long a measurement is valid. After that a later one replaces it in any case. */
const knownForMs = 60_000;
const freshForMs = 30_000;
/** The maximum drift between the monotonic clocks of two machines, in milliseconds per millisecond. */
const drift = 1e-4;
/** If the clocks of this process differ by more, the machine was suspended or its clock was set. */
const mostJumpMs = 1_000;
/** A backward correction up to this size is waited out. */
const mostWaitMs = 1_000;

/**
 * Estimates the server's clock from the round trips of a few queries, and continues it with the monotonic clock of
 * this process. Reading it between measurements is free.
 *
 * @param local.steady milliseconds by a clock that is never adjusted
 * @param local.wall epoch milliseconds by the system clock; used only to detect that the other clock stood still
 * @source ADR 0013
 */
export function createServerTime(
  local: { readonly steady: () => number; readonly wall: () => number } = {
    steady: () => performance.now(),
    wall: () => Date.now(),
  },
) {
  let kept: Sample | undefined;
  let latest = Number.NEGATIVE_INFINITY;
  let measuring: Promise<void> | undefined;

  function isKnown(sample: Sample | undefined): sample is Sample {
    if (!sample) return false;
    const age = local.steady() - sample.steady;
    return age <= knownForMs && Math.abs(local.wall() - sample.wall - age) <= mostJumpMs;
  }

  /** True when the kept measurement is more precise than a later one, and both are consistent. */
  function outlasts(earlier: Sample, later: Sample): boolean {
    const age = later.steady - earlier.steady;
    const errorMs = earlier.errorMs + age * drift;
    const agree = Math.abs(earlier.aheadMs - later.aheadMs) <= errorMs + later.errorMs;
    return age <= freshForMs && errorMs < later.errorMs && agree;
  }

  /** Takes one measurement. @param ask one round trip, without waiting for a connection */
  async function look(ask: AskTime): Promise<void> {
    const from = local.steady();
    const server = await ask();
    const steady = local.steady();
    const sample = {
      aheadMs: server - (from + steady) / 2,
      errorMs: (steady - from) / 2,
      steady,
      wall: local.wall(),
    };
    if (sample.errorMs > mostErrorMs) return;
    if (!isKnown(kept) || !outlasts(kept, sample)) kept = sample;
  }

  async function lookOften(ask: AskTime): Promise<void> {
    for (let taken = 0; taken < looks; taken += 1) await look(ask);
  }

  function now(): number | undefined {
    if (!isKnown(kept)) return undefined;
    const time = Math.round(local.steady() + kept.aheadMs);
    latest = latest - time > mostWaitMs ? time : Math.max(latest, time);
    return latest;
  }

  return {
    /** Epoch milliseconds by the server's clock; `undefined` while it is not known reliably. */
    now,
    look,
    lookOften,

    /** Measures the time; callers share one series. @throws a transient error if the server is too slow */
    measure(ask: AskTime): Promise<void> {
      if (isKnown(kept)) return Promise.resolve();
      measuring ??= lookOften(ask)
        .then(() => {
          if (!isKnown(kept)) throw new TooSlow('Postgres responds too slowly to read its clock.');
        })
        .finally(() => {
          measuring = undefined;
        });
      return measuring;
    },
  };
}

export type ServerTime = ReturnType<typeof createServerTime>;

class TooSlow extends Error {
  readonly code = 'ETIMEDOUT';
}
