import type { UIMessageChunk } from 'ai';
import type { FlowStream, StreamView } from '../flow-stream.ts';
import { projectStream } from '../reader/project-stream.ts';
import type { Projection } from '../reader/projection.ts';
import { createHeldChunks } from './held.ts';
import { createLiveChunks } from './live.ts';

/**
 * A turn as the AI SDK's UI message chunks. The first run of a turn says how the turn is released. Before it there is
 * nothing to show.
 *
 * @source ADR 0004, T1-T16, H2
 */
export function createUiChunks(view: StreamView): Projection<UIMessageChunk> {
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

/** One response of a flow as UI message chunks. Backpressure and cancelling reach the flow's stream. */
export function uiMessageChunks(stream: FlowStream): ReadableStream<UIMessageChunk> {
  return projectStream(stream, createUiChunks(stream.view));
}
