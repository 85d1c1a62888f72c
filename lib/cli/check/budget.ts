/** The limits of a check, for each transport. */
export type Bounds = {
  readonly requests: number;
  readonly milliseconds: number;
  /** For one request and its whole response. */
  readonly requestMilliseconds: number;
};

/** The check has used up its requests or its time. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

/** Limits requests and time, so that no backend can keep a check running forever. */
export type Budget = {
  readonly used: number;
  readonly bounds: Bounds;
  /** Counts one request. Returns its abort signal. @throws BudgetSpent */
  take(): AbortSignal;
  /** @throws BudgetSpent if the time is up, so that a request cut off by it does not count against the backend */
  assertTime(): void;
};

/** The source of time for a budget. */
export type Timing = {
  /** Monotonic milliseconds. */
  now(): number;
  /** A signal that aborts after this many milliseconds. */
  timeout(milliseconds: number): AbortSignal;
};

/** The process's own time. */
export const processTiming: Timing = {
  now: () => performance.now(),
  timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
};

/** A budget that starts now. */
export function createBudget(bounds: Bounds, { now, timeout }: Timing): Budget {
  const start = now();
  let used = 0;
  const left = () => bounds.milliseconds - (now() - start);
  const assertTime = () => {
    if (left() <= 0) throw new BudgetSpent(`the ${bounds.milliseconds / 1000} seconds are used up`);
  };
  return {
    bounds,
    get used() {
      return used;
    },
    take() {
      assertTime();
      if (used >= bounds.requests) throw new BudgetSpent(`the ${bounds.requests} requests are used up`);
      used += 1;
      return timeout(Math.ceil(Math.min(bounds.requestMilliseconds, left())));
    },
    assertTime,
  };
}
