import type { FlowEvent } from '../protocol/index.ts';
import type { FlowStream } from '../views/flow-stream.ts';

/** How one dialect tells a stream. */
export type FrameSource = {
  /** The frames an event gives, whole, as they travel. */
  of(event: FlowEvent): readonly string[];
  /** Whether these were the last frames, though events may follow. */
  isOver?(): boolean;
  /** What is left to say when the events are over. */
  end(): readonly string[];
  /** What to say when the events cannot be read any more. */
  broken(error: unknown): readonly string[];
};

/**
 * A stream as frames, which never fails. Each leaves as soon as its event is read, and nothing is read ahead of the
 * client. Cancelling detaches this reader, never the run.
 *
 * @source contract A24, A26
 */
export function frameStream({ events }: FlowStream, frames: FrameSource): ReadableStream<string> {
  const reader = events.getReader();
  let left = false;

  return new ReadableStream<string>(
    {
      async pull(controller) {
        let ready: readonly string[] = [];
        let isOver = false;
        while (ready.length === 0 && !isOver && !left) {
          try {
            const next = await reader.read();
            isOver = next.done;
            ready = next.done ? frames.end() : frames.of(next.value);
            if (!isOver && frames.isOver?.()) {
              isOver = true;
              await reader.cancel();
            }
          } catch (error) {
            isOver = true;
            ready = frames.broken(error);
          }
        }
        if (left) return;
        for (const frame of ready) controller.enqueue(frame);
        if (isOver) controller.close();
      },
      cancel(reason) {
        left = true;
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
