import type { UIMessageChunk } from 'ai';
import type { StreamView } from '../flow-stream.ts';
import type { Projection } from '../reader/projection.ts';
import { createChunkWriters } from './call-writer.ts';
import { createFinalChunks } from './final.ts';
import { createLiveChunks } from './progressive.ts';

/**
 * The chunks of a turn with the release `hold-after-question`: live up to and including its first question, and withheld from
 * there on. Both halves share their writers, so what was sent live is not sent again at the end.
 *
 * @source ADR 0032, T17
 */
export function createHoldAfterQuestionChunks(view: StreamView): Projection<UIMessageChunk> {
  let hasAsked = false;
  // Content that is sent live is already in its place.
  const writers = createChunkWriters(view, ({ position }) => (hasAsked ? { position } : {}));
  const live = createLiveChunks(view, writers);
  const final = createFinalChunks(view, writers);

  return {
    apply(item) {
      const chunks = hasAsked ? final.apply(item) : live.apply(item);
      // A question ends its run in the same append, so `live` has nothing left to close.
      hasAsked ||= item.event.type === 'approval-requested';
      return chunks;
    },
    end: () => final.end?.() ?? [],
  };
}
