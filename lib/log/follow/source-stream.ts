export type Source<Item> = {
  /** The next item; `undefined` at the end. Call it again only when a promise has settled. */
  next(): Item | undefined | Promise<Item | undefined>;
  /** Ends the reading, also during a wait. */
  cancel(reason?: unknown): Promise<void> | undefined;
};

/** A stream that does not read ahead. `readSource` avoids its ten promises for each item. */
export class SourceStream<Item> extends ReadableStream<Item> {
  readonly #source: Source<Item>;
  #isRead = false;

  constructor(source: Source<Item>) {
    let isCancelled = false;
    super(
      {
        pull: async (controller) => {
          this.#isRead = true;
          const item = await source.next();
          if (isCancelled) return;
          if (item === undefined) controller.close();
          else controller.enqueue(item);
        },
        cancel(reason) {
          isCancelled = true;
          return source.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
    this.#source = source;
  }

  /** Locks a stream. @returns its items: those of the source, if it is one and nothing was read yet */
  static read<Item>(stream: ReadableStream<Item>): Source<Item> {
    const reader = stream.getReader();
    if (stream instanceof SourceStream && !stream.#isRead) return stream.#source;
    return { next: async () => (await reader.read()).value, cancel: (reason) => reader.cancel(reason) };
  }
}
