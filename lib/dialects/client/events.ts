/** Items as they come, for any number of readers, each from the first on. */
export type Events<Item> = AsyncIterable<Item> & {
  push(item: Item): void;
  /** @param error thrown to readers behind the last item */
  end(error?: unknown): void;
};

/** A list of events that grows until it ends. It does not have to be read. */
export function createEvents<Item>(): Events<Item> {
  const items: Item[] = [];
  let end: { readonly error?: unknown } | undefined;
  let wakeReaders = () => {};
  let changed = nextChange();

  function nextChange(): Promise<void> {
    return new Promise((resolve) => {
      wakeReaders = resolve;
    });
  }

  function wake(): void {
    wakeReaders();
    changed = nextChange();
  }

  return {
    push(item) {
      items.push(item);
      wake();
    },
    end(error) {
      end ??= { error };
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (let next = 0; ; await changed) {
        for (; next < items.length; next += 1) yield items[next] as Item;
        if (end?.error !== undefined) throw end.error;
        if (end) return;
      }
    },
  };
}
