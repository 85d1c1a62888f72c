import type { UIMessageChunk } from 'ai';
import type { Release } from '../../protocol/index.ts';
import type { MessageChangedJson } from '../../protocol/wire/chat/message-changed.ts';
import type { FlowStream, StreamView } from '../flow-stream.ts';
import { projectStream } from '../reader/project-stream.ts';
import type { Projection } from '../reader/projection.ts';
import { createFinalChunks } from './final.ts';
import { createHoldAfterQuestionChunks } from './hold-after-question.ts';
import { createLiveChunks } from './progressive.ts';

const projections: Readonly<Record<Release, (view: StreamView) => Projection<UIMessageChunk>>> = {
  final: (view) => createFinalChunks(view),
  progressive: (view) => createLiveChunks(view),
  'hold-after-question': createHoldAfterQuestionChunks,
};

/** A turn as UI message chunks. Its first run determines the release. @source ADR 0004, ADR 0032, T1-T17, H2 */
export function createUiChunks(view: StreamView): Projection<UIMessageChunk> {
  let chunks: Projection<UIMessageChunk> | undefined;
  let { changed } = view;

  /** After `start`, so that a page has the message that it is about to build. */
  function withChanged(written: readonly UIMessageChunk[]): readonly UIMessageChunk[] {
    const [start] = written;
    if (!start || changed === undefined) return written;
    const data: MessageChangedJson = { messageId: changed };
    changed = undefined;
    return [start, { type: 'data-message-changed', transient: true, data }, ...written.slice(1)];
  }

  return {
    apply(item) {
      const { messageId, release } = item.turn;
      if (messageId !== undefined) chunks ??= projections[release](view);
      return withChanged(chunks?.apply(item) ?? []);
    },
    end: () => chunks?.end?.() ?? [],
  };
}

/** One response of a flow as UI message chunks. Backpressure and cancelling reach the flow's stream. */
export function uiMessageChunks(stream: FlowStream): ReadableStream<UIMessageChunk> {
  return projectStream(stream, createUiChunks(stream.view));
}
