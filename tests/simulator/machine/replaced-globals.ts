type Timer = { unref(): Timer; ref(): Timer; hasRef(): boolean; [Symbol.toPrimitive](): number };

/** More turns of the event loop than any work needs to finish. */
const mostTurns = 5_000;

/** The real functions before they are replaced. */
const real = {
  setImmediate: globalThis.setImmediate,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  dateNow: Date.now,
  random: Math.random,
};

/**
 * Replaces the timers, clock and random numbers of the process, for code that does not use a port: the SDK, and turns
 * of the event loop. `setImmediate` becomes a queue that `settle` empties.
 */
export function replaceGlobals({
  now,
  after,
}: {
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => () => void;
}) {
  let turns: (() => void)[] = [];
  let dice = 1;

  function setTimer(callback: (...given: unknown[]) => void, ms = 0, ...given: unknown[]): Timer {
    const cancel = after(Number(ms) || 0, () => callback(...given));
    const timer: Timer & { cancel(): void } = {
      cancel,
      ref: () => timer,
      unref: () => timer,
      hasRef: () => true,
      [Symbol.toPrimitive]: () => 0,
    };
    return timer;
  }

  function clearTimer(timer: unknown): void {
    if (typeof timer === 'object' && timer !== null && 'cancel' in timer) (timer.cancel as () => void)();
  }

  const used = {
    setImmediate: (callback: (...given: unknown[]) => void, ...given: unknown[]) => {
      turns.push(() => callback(...given));
    },
    setTimeout: setTimer,
    clearTimeout: clearTimer,
    setInterval: () => {
      throw new Error('Nothing in a simulated process uses an interval.');
    },
    clearInterval: clearTimer,
  };

  function random(): number {
    dice = (Math.imul(dice, 1_664_525) + 1_013_904_223) | 0;
    return (dice >>> 0) / 2 ** 32;
  }

  return {
    /** Runs work with the replacements, and restores the real functions. */
    async use<Result>(work: () => Promise<Result>): Promise<Result> {
      Object.assign(globalThis, used);
      Date.now = now;
      Math.random = random;
      try {
        return await work();
      } finally {
        const { dateNow, random: realRandom, ...globals } = real;
        Object.assign(globalThis, globals);
        Date.now = dateNow;
        Math.random = realRandom;
      }
    },

    /** Resolves when every promise that needs no time has settled, and no turn of the event loop is pending. */
    async settle(): Promise<void> {
      let passed = 0;
      do {
        passed += 1;
        if (passed > mostTurns) throw new Error(`Endless loop: ${mostTurns} turns without time passing.`);
        const due = turns;
        turns = [];
        for (const turn of due) turn();
        await new Promise<void>((resolve) => void real.setImmediate(resolve));
      } while (turns.length > 0);
    },
  };
}
