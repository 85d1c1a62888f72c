import type { UIMessageChunk } from 'ai';
import type { StreamView } from '../flow-stream.ts';
import type { Projection } from '../reader/projection.ts';
import { createChunkWriters } from './call-writer.ts';
import { createFinalChunks } from './final.ts';
import { createLiveChunks } from './progressive.ts';

/** Live up to and including the first question, then withheld. Both halves share writers. @source ADR 0032, T17 */
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
