/** `connecting`: the first attempt. `reconnecting`: the connection was lost, and the client replaces it. */
export type DialectConnection = 'connecting' | 'open' | 'reconnecting' | 'closed';

/** What the clients of all dialects show: a state, the state of their connection, and when one of them changes. */
export abstract class DialectClient<State> {
  readonly #listeners = new Set<() => void>();
  #state: State;
  #connection: DialectConnection = 'closed';

  constructor(state: State) {
    this.#state = state;
  }

  /** What was received adds up to this. Replaced, never changed. */
  get state(): State {
    return this.#state;
  }

  get connection(): DialectConnection {
    return this.#connection;
  }

  /** Calls back after each change of `state` and `connection`. @returns ends that */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  protected change(change: { readonly state?: State; readonly connection?: DialectConnection }): void {
    this.#state = change.state ?? this.#state;
    this.#connection = change.connection ?? this.#connection;
    for (const listener of this.#listeners) listener();
  }
}
