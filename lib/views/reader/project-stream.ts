import type { FlowStream } from '../flow-stream.ts';
import { type Projection, runProjection } from './projection.ts';
import { pullThrough } from './pull-through.ts';

/**
 * A response as the outputs of a projection. Outputs leave as soon as their event is read, and an event is read when the
 * client asks for more. Cancelling detaches this reader and leaves the run alone.
 */
export function projectStream<Output>(
  { events, view, onClose }: FlowStream,
  projection: Projection<Output>,
): ReadableStream<Output> {
  return pullThrough(events, {
    ...runProjection(projection, view),
    start: projection.start,
    fail: projection.fail,
    ...(projection.leave && onClose && { interrupted: { on: onClose, outputs: projection.leave } }),
  });
}
