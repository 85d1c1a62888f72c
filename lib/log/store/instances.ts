/**
 * One running process. `outdated` names stored items with which this process disagrees (for example an open
 * question whose tool has changed), each with the time since then, in epoch milliseconds.
 */
export type Instance = {
  readonly id: string;
  /** The instance counts as live before this time, in epoch milliseconds. */
  readonly until: number;
  readonly outdated: Readonly<Record<string, number>>;
  /** The names of its plugins. */
  readonly plugins: readonly string[];
};

/** The instances that share the store. */
export type InstanceStore = {
  /**
   * Records that an instance is live, or still is, and forgets those whose `until` has come.
   *
   * @param instance replaces what the same `id` announced before
   * @param now epoch milliseconds
   * @returns all live instances in no order, including this one
   */
  announce(instance: Instance, now: number): Promise<readonly Instance[]>;
  /** Forgets an instance. Nothing happens when it is unknown. */
  retire(id: string): Promise<void>;
};
