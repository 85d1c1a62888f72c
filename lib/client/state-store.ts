/** State outside any framework: what `useSyncExternalStore` takes, and the stores of other frameworks. */
export type StateStore<State> = {
  /** The same object until the state changes. */
  readonly getState: () => State;
  /** @returns ends the subscription */
  readonly subscribe: (onChange: () => void) => () => void;
};

/** A state that is computed when it is read, and kept until one of its parts has changed. */
export class ComputedStore<State> implements StateStore<State> {
  readonly #compute: () => State;
  readonly #open: () => () => void;
  readonly #listeners = new Set<() => void>();
  #state: State | undefined;
  #close: (() => void) | undefined;
  #arrivedAt = 0;
  #dueAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param open called when the first listener subscribes; returns what to call when the last has left */
  constructor(compute: () => State, open: () => () => void) {
    this.#compute = compute;
    this.#open = open;
  }

  getState = (): State => {
    this.#state ??= this.#compute();
    return this.#state;
  };

  subscribe = (onChange: () => void): (() => void) => {
    // One function may subscribe twice.
    const listener = () => onChange();
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#close = this.#open();
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#close?.();
    };
  };

  /** For what a person does: it is shown at once. */
  changed(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#state = undefined;
    for (const listener of this.#listeners) listener();
  }

  /**
   * For what arrives: the listeners see only what several changes at the same time lead to.
   *
   * @param everyMs the least time after what arrived last
   */
  changesSoon(everyMs = 0): void {
    const now = performance.now();
    const dueAt = Math.max(this.#arrivedAt + everyMs, now);
    if (this.#timer !== undefined && this.#dueAt <= dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => {
      this.#arrivedAt = performance.now();
      this.changed();
    }, dueAt - now);
  }
}

/** Computes again only for other arguments: what is read from the same facts stays the same object. */
export function keptFor<Args extends readonly unknown[], Result>(
  compute: (...args: Args) => Result,
): (...args: Args) => Result {
  let last: { readonly args: Args; readonly result: Result } | undefined;
  return (...args) => {
    if (!last?.args.every((arg, index) => Object.is(arg, args[index])))
      last = { args, result: compute(...args) };
    return last.result;
  };
}
