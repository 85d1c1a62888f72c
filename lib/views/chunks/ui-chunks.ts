import type { UIMessageChunk } from 'ai';
import type { FlowStream, StreamView } from '../flow-stream.ts';
import { type Projection, type ProjectionRun, runProjection } from '../reader/projection.ts';
import { createHeldChunks } from './held.ts';
import { createLiveChunks } from './live.ts';

/**
 * The events of a turn as the AI SDK's UI message chunks. Feed it every event of the turn in order, then call `end`
 * once.
 *
 * @source ADR 0004, T1-T16, H2
 */
export function createChunkProjection(view: StreamView): ChunkProjection {
  return runProjection(createTurnChunks(view), view);
}

/** The first run of a turn says how the turn is released. Before it there is nothing to show. */
function createTurnChunks(view: StreamView): Projection<UIMessageChunk> {
  let chunks: Projection<UIMessageChunk> | undefined;
  return {
    apply(item) {
      const { messageId, release } = item.turn;
      if (!chunks && messageId !== undefined) {
        chunks = release === 'final' ? createHeldChunks(view) : createLiveChunks(view);
      }
      return chunks?.apply(item) ?? [];
    },
    end: () => chunks?.end?.() ?? [],
  };
}

/** @see createChunkProjection */
export type ChunkProjection = ProjectionRun<UIMessageChunk>;

/** Reads one response of a flow, all chunks of an event at once. */
export type ChunkReader = {
  /** @returns at least one chunk; none when the response is over */
  read(): Promise<readonly UIMessageChunk[]>;
  /** Detaches the reader from the flow's stream. */
  cancel(reason?: unknown): Promise<void>;
};

/** One response of a flow as UI message chunks, read as they are asked for. */
export function readChunks({ events, view }: FlowStream): ChunkReader {
  const reader = events.getReader();
  const projection = createChunkProjection(view);
  let isOver = false;
  return {
    async read() {
      while (!isOver) {
        const next = await reader.read();
        isOver = next.done;
        const chunks = next.done ? projection.end() : projection.push(next.value);
        if (chunks.length > 0) return chunks;
      }
      return [];
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

/** One response of a flow as UI message chunks. Backpressure and cancelling reach the flow's stream. */
export function uiMessageChunks(stream: FlowStream): ReadableStream<UIMessageChunk> {
  const reader = readChunks(stream);
  return new ReadableStream<UIMessageChunk>(
    {
      async pull(controller) {
        const chunks = await reader.read();
        for (const chunk of chunks) controller.enqueue(chunk);
        if (chunks.length === 0) controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
