import type { UIMessageChunk } from 'ai';
import type { EventOf } from '../../protocol/index.ts';
import { factsFor, type Place } from './call-chunks.ts';

/** A data part as a chunk, which the SDK keeps as it is. @source T3, T6, T11 */
export function dataChunk({ part, transient }: EventOf<'data-written'>, place: Place = {}): UIMessageChunk {
  return { ...part, transient: transient || undefined, ...factsFor(place) };
}
