import { runtime } from '../runtime/runtime.ts';

/** The largest group. It limits the duration of one transaction. */
const largestGroup = 64;

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result | Promise<Result>) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Batches concurrent work: one group at a time, in order of arrival. Items that arrive in the same turn of the event
 * loop, or while a group is in progress, share the next round trip and the next commit. So the cost per item falls as
 * load rises.
 *
 * @param work resolves with a result for each item when the next group may start; rejects for all of them
 * @param keyOf items with the same key are put into different groups
 * @source ADR 0017
 */
export function createGroups<Item, Result>(
  work: (group: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>,
  keyOf?: (item: Item) => string,
) {
  let waiting: Waiting<Item, Result>[] = [];
  let working: Promise<void> | undefined;

  function nextGroup(): Waiting<Item, Result>[] {
    const keys = new Set<string | undefined>();
    const group: Waiting<Item, Result>[] = [];
    const later: Waiting<Item, Result>[] = [];
    for (const each of waiting) {
      const key = keyOf?.(each.item);
      (group.length < largestGroup && !keys.has(key) ? group : later).push(each);
      if (key !== undefined) keys.add(key);
    }
    waiting = later;
    return group;
  }

  async function workOn(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await work(group.map(({ item }) => item));
      for (const [index, result] of results.entries()) group[index]?.resolve(result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  async function workOnAll(): Promise<void> {
    while (waiting.length > 0) {
      await runtime.turnOfEventLoop();
      await workOn(nextGroup());
    }
    working = undefined;
  }

  return {
    add(item: Item): Promise<Result> {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      waiting.push({ item, resolve, reject });
      working ??= workOnAll();
      return promise;
    },

    idle: async (): Promise<void> => working,
  };
}
