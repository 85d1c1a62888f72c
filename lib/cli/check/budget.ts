/** How much a check may do, for each way of reaching the backend. */
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

/** Counts requests and time, so that no backend can keep a check busy for ever. */
export type Budget = {
  readonly used: number;
  readonly bounds: Bounds;
  /** Counts one request. Gives the signal that ends it. @throws BudgetSpent */
  take(): AbortSignal;
  /** @throws BudgetSpent when the time is up, so that a request cut off by it is not held against the backend */
  assertTime(): void;
};

/** How a budget knows the time. */
export type Timing = {
  /** Milliseconds that only go forward. */
  now(): number;
  /** A signal that aborts after so many milliseconds. */
  timeout(milliseconds: number): AbortSignal;
};

/** The time of this process. */
export const processTiming: Timing = {
  now: () => performance.now(),
  timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
};

/** A budget that begins now. */
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
