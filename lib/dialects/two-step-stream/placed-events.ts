import type { Projection } from '../../views/reader/projection.ts';
import type { FrameId } from './frame-id.ts';
import { twoStepProjection } from './projection.ts';
import type { StreamEvent } from './schema.ts';

/** An event of a stream, and its place. */
export type PlacedEvent = { readonly id: FrameId; readonly event: StreamEvent };

/** The events of a stream with their places in it. @source B17 */
export const placedEvents: Projection<PlacedEvent> = {
  apply: (item) =>
    twoStepProjection.apply(item).map((event, index) => ({
      id: { seq: item.event.seq, index, isLast: event.type === 'done' },
      event,
    })),
};
