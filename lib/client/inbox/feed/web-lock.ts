/** A lock that this tab holds. */
export type HeldLock = {
  readonly release: () => void;
  /** Resolves when another tab has taken it, or it was released. */
  readonly lost: Promise<void>;
};

/**
 * Requests a lock of the origin, which the browser releases when the tab is closed.
 *
 * @param options as for `LockManager.request`
 * @returns `undefined` if it is held by another tab (`ifAvailable`), or the request was aborted (`signal`)
 * @throws DOMException where the page may not use locks
 */
export function requestLock(name: string, options: LockOptions): Promise<HeldLock | undefined> {
  return new Promise((resolve, reject) => {
    let end = () => {};
    const lost = new Promise<void>((resolveLost) => {
      end = resolveLost;
    });
    const hold = (lock: Lock | null) =>
      new Promise<void>((release) => {
        resolve(lock ? { release, lost } : undefined);
        if (!lock) release();
      });
    navigator.locks.request(name, options, hold).then(end, (error: unknown) => {
      end();
      if (options.signal?.aborted) resolve(undefined);
      else reject(error);
    });
  });
}
