import { SourceStream } from '../../log/follow/source-stream.ts';

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
  /** What ends the stream before the source has ended, and the last outputs then. Default: nothing. */
  readonly interrupted?: {
    readonly on: (callback: () => void) => () => void;
    readonly outputs: () => readonly Output[];
  };
};

/** Reads an item only when an output is requested; a `TransformStream` would read ahead. */
export function pullThrough<Item, Output>(
  stream: ReadableStream<Item>,
  stage: Stage<Item, Output>,
): ReadableStream<Output> {
  const source = SourceStream.read(stream);
  let isOver = false;
  let isCancelled = false;
  let lastOutputs = stage.end;
  const ignore = stage.interrupted?.on(() => {
    lastOutputs = stage.interrupted?.outputs;
    // Ends the source, also during a wait.
    source.cancel()?.catch(() => {});
  });

  /** @returns false if there was nothing to pass on */
  function pass(controller: ReadableStreamDefaultController<Output>, outputs: readonly Output[]): boolean {
    if (isCancelled) return true;
    for (const output of outputs) controller.enqueue(output);
    if (isOver) {
      ignore?.();
      controller.close();
    }
    return isOver || outputs.length > 0;
  }

  function take(controller: ReadableStreamDefaultController<Output>, item: Item | undefined): boolean {
    isOver = item === undefined;
    const outputs = item === undefined ? (lastOutputs?.() ?? []) : stage.push(item);
    if (!isOver && stage.isDone?.()) {
      isOver = true;
      // The unread rest is discarded, and an error while discarding it is irrelevant.
      source.cancel()?.catch(() => {});
    }
    return pass(controller, outputs);
  }

  function fail(controller: ReadableStreamDefaultController<Output>, error: unknown): void {
    isOver = true;
    ignore?.();
    if (!stage.fail) throw error;
    pass(controller, stage.fail(error));
  }

  /** Takes items until there is something to pass on. @returns a promise only if an item has to be waited for */
  function pull(controller: ReadableStreamDefaultController<Output>): Promise<void> | undefined {
    try {
      for (;;) {
        const next = source.next();
        if (next instanceof Promise) return wait(controller, next);
        if (take(controller, next)) return undefined;
      }
    } catch (error) {
      fail(controller, error);
      return undefined;
    }
  }

  async function wait(
    controller: ReadableStreamDefaultController<Output>,
    next: Promise<Item | undefined>,
  ): Promise<void> {
    try {
      if (take(controller, await next)) return;
    } catch (error) {
      fail(controller, error);
      return;
    }
    await pull(controller);
  }

  return new ReadableStream<Output>(
    {
      start(controller) {
        for (const output of stage.start?.() ?? []) controller.enqueue(output);
      },
      pull,
      cancel(reason) {
        isCancelled = true;
        ignore?.();
        return source.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
