/** The most that are written together: a bound to how long one transaction takes. */
const largestGroup = 64;

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result | Promise<Result>) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Writes together what comes together: one group at a time, in the order of arrival. What comes within a turn of the
 * event loop, or while a group is being written, shares the next commit, so the more there is to write, the less
 * each costs.
 *
 * @param write resolves when the next group may be written, with a result for each; rejects for all of them
 * @param keyOf two of one key are not put into one group
 * @source ADR 0017
 */
export function createGroupCommit<Item, Result>(
  write: (group: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>,
  keyOf: (item: Item) => unknown,
) {
  let waiting: Waiting<Item, Result>[] = [];
  let writing: Promise<void> | undefined;

  function nextGroup(): Waiting<Item, Result>[] {
    const keys = new Set<unknown>();
    const group: Waiting<Item, Result>[] = [];
    const later: Waiting<Item, Result>[] = [];
    for (const each of waiting) {
      const key = keyOf(each.item);
      (group.length < largestGroup && !keys.has(key) ? group : later).push(each);
      keys.add(key);
    }
    waiting = later;
    return group;
  }

  async function writeGroup(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await write(group.map(({ item }) => item));
      for (const [index, result] of results.entries()) group[index]?.resolve(result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      await turnOfEventLoop();
      await writeGroup(nextGroup());
    }
    writing = undefined;
  }

  return {
    /** Resolves when the item is written, with its result. */
    add(item: Item): Promise<Result> {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      waiting.push({ item, resolve, reject });
      writing ??= writeAll();
      return promise;
    },

    /** Resolves when nothing waits to be written. */
    idle: async (): Promise<void> => writing,
  };
}

function turnOfEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
