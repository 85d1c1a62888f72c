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

/** @param now milliseconds that only go forward */
export function createBudget(bounds: Bounds, now: () => number): Budget {
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
      return AbortSignal.timeout(Math.ceil(Math.min(bounds.requestMilliseconds, left())));
    },
    assertTime,
  };
}
