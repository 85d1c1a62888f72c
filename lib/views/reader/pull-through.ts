/** One stage of a pipe: a synchronous function of each item. */
export type Stage<Item, Output> = {
  /** The outputs before the first item. Nothing is read for them. Default: none. */
  readonly start?: (() => readonly Output[]) | undefined;
  readonly push: (item: Item) => readonly Output[];
  /** The outputs after the last item. Default: none. */
  readonly end?: (() => readonly Output[]) | undefined;
  /** True when nothing follows, although items may. Default: false. */
  readonly isDone?: (() => boolean) | undefined;
  /** The last outputs when the source fails. Default: the stream fails, too. */
  readonly fail?: ((error: unknown) => readonly Output[]) | undefined;
};

/**
 * A stream through one stage. An item is read when an output is asked for: a `TransformStream` would read one ahead.
 * Cancelling cancels the source, even during a read.
 */
export function pullThrough<Item, Output>(
  source: ReadableStream<Item>,
  stage: Stage<Item, Output>,
): ReadableStream<Output> {
  const reader = source.getReader();
  let isOver = false;
  let isCancelled = false;

  function take({ done, value }: ReadableStreamReadResult<Item>): readonly Output[] {
    isOver = done;
    return done ? (stage.end?.() ?? []) : stage.push(value);
  }

  function failed(error: unknown): readonly Output[] {
    isOver = true;
    if (!stage.fail) throw error;
    return stage.fail(error);
  }

  return new ReadableStream<Output>(
    {
      start(controller) {
        for (const output of stage.start?.() ?? []) controller.enqueue(output);
      },
      async pull(controller) {
        let outputs: readonly Output[] = [];
        while (outputs.length === 0 && !isOver && !isCancelled) {
          try {
            outputs = take(await reader.read());
            if (!isOver && stage.isDone?.()) {
              isOver = true;
              await reader.cancel();
            }
          } catch (error) {
            outputs = failed(error);
          }
        }
        if (isCancelled) return;
        for (const output of outputs) controller.enqueue(output);
        if (isOver) controller.close();
      },
      cancel(reason) {
        isCancelled = true;
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
