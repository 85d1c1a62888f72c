import type { UIMessageChunk } from 'ai';
import type { Release } from '../../protocol/index.ts';
import type { FlowStream, StreamView } from '../flow-stream.ts';
import { projectStream } from '../reader/project-stream.ts';
import type { Projection } from '../reader/projection.ts';
import { createHeldChunks } from './final.ts';
import { createHeldAfterQuestionChunks } from './hold-after-question.ts';
import { createLiveChunks } from './progressive.ts';

const projections: Readonly<Record<Release, (view: StreamView) => Projection<UIMessageChunk>>> = {
  final: (view) => createHeldChunks(view),
  progressive: (view) => createLiveChunks(view),
  'hold-after-question': createHeldAfterQuestionChunks,
};

/**
 * A turn as the AI SDK's UI message chunks. The first run of a turn determines the release mode. Before it
 * there is nothing to show.
 *
 * @source ADR 0004, ADR 0032, T1-T17, H2
 */
export function createUiChunks(view: StreamView): Projection<UIMessageChunk> {
  let chunks: Projection<UIMessageChunk> | undefined;
  return {
    apply(item) {
      const { messageId, release } = item.turn;
      if (messageId !== undefined) chunks ??= projections[release](view);
      return chunks?.apply(item) ?? [];
    },
    end: () => chunks?.end?.() ?? [],
  };
}

/** One response of a flow as UI message chunks. Backpressure and cancelling reach the flow's stream. */
export function uiMessageChunks(stream: FlowStream): ReadableStream<UIMessageChunk> {
  return projectStream(stream, createUiChunks(stream.view));
}
