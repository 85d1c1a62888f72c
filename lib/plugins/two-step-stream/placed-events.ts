import type { Projection } from '../../views/reader/projection.ts';
import type { StreamEvent } from './client/schema.ts';
import type { FrameId } from './frame-id.ts';
import { withHeldCalls } from './held-calls.ts';
import { twoStepProjection } from './projection.ts';

/** An event of a stream, and its place. */
export type PlacedEvent = { readonly id: FrameId; readonly event: StreamEvent };

/** The events of a stream with their places in it. @param acceptsApprovals whether the client says so @source B17, B18 */
export function placedEvents(acceptsApprovals: boolean): Projection<PlacedEvent> {
  const { apply } = acceptsApprovals ? twoStepProjection : withHeldCalls;
  return {
    apply: (item) =>
      apply(item).map((event, index) => ({
        id: { seq: item.event.seq, index, isLast: event.type === 'done' },
        event,
      })),
  };
}
