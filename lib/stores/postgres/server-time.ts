/** Asks the server for its time: epoch milliseconds, fractions included. */
export type AskTime = () => Promise<number>;

/** One look at the server's clock. */
type Sample = {
  /** The server's clock less the monotonic clock of this process, at most `errorMs` off. */
  readonly aheadMs: number;
  /** Half the round trip. */
  readonly errorMs: number;
  /** When the answer came, by both clocks of this process. */
  readonly steady: number;
  readonly wall: number;
};

/** Looks taken at once; the one with the shortest round trip counts. */
const looks = 4;
/** A look that is further off says too little. */
const mostErrorMs = 1_000;
/** How long a look says what time it is, and from when on a later one replaces it in any case. */
const knownForMs = 60_000;
const freshForMs = 30_000;
/** By how much the monotonic clocks of two machines may drift apart, in milliseconds a millisecond. */
const drift = 1e-4;
/** Clocks of this process that differ by more since the last look: the machine was suspended, or its clock was set. */
const mostJumpMs = 1_000;
/** A correction backwards by no more than this is waited out. */
const mostWaitMs = 1_000;

/**
 * The server's clock, estimated from the round trips of a few questions and carried on by the monotonic clock of this
 * process. Between looks it costs nothing to read.
 *
 * @param local.steady milliseconds by a clock that is never set
 * @param local.wall epoch milliseconds by the machine's clock: only to notice that the other one stood still
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

  /** True when the look that is kept tells more than a later one, and both may be right. */
  function outlasts(earlier: Sample, later: Sample): boolean {
    const age = later.steady - earlier.steady;
    const errorMs = earlier.errorMs + age * drift;
    const agree = Math.abs(earlier.aheadMs - later.aheadMs) <= errorMs + later.errorMs;
    return age <= freshForMs && errorMs < later.errorMs && agree;
  }

  /** Takes one look. @param ask one round trip, without waiting for a connection */
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
    /** Epoch milliseconds by the server's clock; `undefined` when that is not surely known. */
    now,
    look,
    lookOften,

    /**
     * Makes the time known, by several looks if it must. All who ask meanwhile share them.
     *
     * @throws Error that counts as transient when the server answers too slowly to be read; what `ask` throws
     */
    measure(ask: AskTime): Promise<void> {
      if (isKnown(kept)) return Promise.resolve();
      measuring ??= lookOften(ask)
        .then(() => {
          if (!isKnown(kept)) throw new TooSlow('Postgres answers too slowly for its clock to be read.');
        })
        .finally(() => {
          measuring = undefined;
        });
      return measuring;
    },
  };
}

/** @see createServerTime */
export type ServerTime = ReturnType<typeof createServerTime>;

class TooSlow extends Error {
  readonly code = 'ETIMEDOUT';
}
