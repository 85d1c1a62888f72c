import type { StreamView } from '../flow-stream.ts';
import { createCallWriter } from './call-writer.ts';
import { createChunkWriter } from './chunk-writer.ts';

/** What a projection writes one response with: its chunks, and the parts of its calls. */
export function createChunkWriters(view: StreamView, placeOf?: Parameters<typeof createCallWriter>[2]) {
  const writer = createChunkWriter();
  return { writer, callWriter: createCallWriter(writer, view, placeOf) };
}
