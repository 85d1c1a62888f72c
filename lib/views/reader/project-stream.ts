import type { FlowStream } from '../flow-stream.ts';
import { type Projection, runProjection } from './projection.ts';

/**
 * A response as the outputs of a projection. Outputs leave as soon as their event is read, and an event is read when the
 * client asks for more: a `TransformStream` would read one ahead. Cancelling detaches this reader and leaves the run
 * alone.
 *
 * @param onError the last outputs when the events cannot be read any more. Without it the stream fails
 */
export function projectStream<Output>(
  { events, view }: FlowStream,
  projection: Projection<Output>,
  onError?: (error: unknown) => readonly Output[],
): ReadableStream<Output> {
  const run = runProjection(projection, view);
  const reader = events.getReader();
  let isCancelled = false;

  async function readNext(): Promise<{ readonly outputs: readonly Output[]; readonly isOver: boolean }> {
    try {
      const next = await reader.read();
      if (next.done) return { outputs: run.end(), isOver: true };
      const outputs = run.push(next.value);
      if (!run.isDone()) return { outputs, isOver: false };
      await reader.cancel();
      return { outputs, isOver: true };
    } catch (error) {
      if (!onError) throw error;
      return { outputs: onError(error), isOver: true };
    }
  }

  return new ReadableStream<Output>(
    {
      async pull(controller) {
        let ready = await readNext();
        while (ready.outputs.length === 0 && !ready.isOver && !isCancelled) ready = await readNext();
        if (isCancelled) return;
        for (const output of ready.outputs) controller.enqueue(output);
        if (ready.isOver) controller.close();
      },
      cancel(reason) {
        isCancelled = true;
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
