import type { Logger } from '../../protocol/index.ts';
import { safeErrorText } from '../../server/errors.ts';
import type { FlowStream } from '../../views/flow-stream.ts';
import { frameStream } from '../frame-stream.ts';
import { type FrameId, formatFrameId, isAfter } from './frame-id.ts';
import type { PlacedEvent } from './left-behind.ts';
import { createStreamEventMapping } from './mapping.ts';
import type { StreamEvent } from './schema.ts';

const disconnected: StreamEvent = {
  type: 'error',
  data: { tool_call_id: null, message: 'assistant stream disconnected' },
};

/**
 * One stream as frames, with what is `earlier` at its beginning, from its start or after a frame that was seen. Every frame has an id. `done` comes last;
 * a stream that cannot be read on ends without it, after an error whose id lets the client come back to this place.
 *
 * @source contract B3, B8, B15, B17
 */
export function streamFrames(
  stream: FlowStream,
  { seen, earlier, logger }: { seen?: FrameId; earlier: readonly PlacedEvent[]; logger?: Logger },
): ReadableStream<string> {
  const eventsOf = createStreamEventMapping(stream.view);
  let place: FrameId = seen ?? { seq: stream.view.emitFrom, index: 0, isLast: false };
  let done = false;
  let untold = earlier.filter(({ id }) => !seen || isAfter(id, seen));

  return frameStream(stream, {
    of(event) {
      const first = untold.map(({ id, event: told }) => format(told, id));
      untold = [];
      const frames = eventsOf(event).flatMap((frame, index) => {
        const id = { seq: event.seq, index, isLast: frame.type === 'done' };
        done ||= id.isLast;
        if (seen && !isAfter(id, seen)) return [];
        place = id;
        return [format(frame, id)];
      });
      return [...first, ...frames];
    },
    isOver: () => done,
    end() {
      if (done) return [];
      // Its chat was erased: there is nothing to come back to.
      const last = { ...place, index: place.index + 1, isLast: true };
      return [format(disconnected, place), format({ type: 'done', data: { reason: 'error' } }, last)];
    },
    broken(error) {
      // Logged; the client is told no more than that.
      safeErrorText(error, logger);
      return done ? [] : [format(disconnected, place)];
    },
  });
}

function format({ type, data }: StreamEvent, id: FrameId): string {
  return `id: ${formatFrameId(id)}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
