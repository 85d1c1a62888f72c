import type { Logger, RunId } from '../../protocol/index.ts';
import { safeErrorText } from '../../server/errors.ts';
import { eventFrames } from '../../server/event-stream/event-frames.ts';
import type { FlowStream } from '../../views/flow-stream.ts';
import { projectStream } from '../../views/reader/project-stream.ts';
import type { Projection } from '../../views/reader/projection.ts';
import type { StreamEvent } from './client/schema.ts';
import { type CurrentTextOptions, currentText } from './current-text.ts';
import { type FrameId, formatFrameId, isAfter, startOfStream } from './frame-id.ts';
import type { PlacedEvent } from './placed-events.ts';

const disconnected: StreamEvent = {
  type: 'error',
  data: { tool_call_id: null, message: 'assistant stream disconnected' },
};

type StreamFramesOptions = CurrentTextOptions & {
  readonly earlier: readonly PlacedEvent[];
  readonly logger: Logger | undefined;
};

/**
 * One stream as frames, from its start or after the last frame that a client has seen. Every frame has an id. `done` is
 * the last one. A stream that cannot be read to its end, or whose server shuts down, ends with an error instead; with that
 * error's id the client resumes at this place.
 *
 * @param options.earlier events of the previous turn, sent first
 * @source B3, B8, B15, B17
 */
export function streamFrames(
  { runId, ...stream }: FlowStream & { readonly runId: RunId },
  { seen, earlier, logger, ...given }: StreamFramesOptions,
): ReadableStream<string> {
  const placedEvents = currentText({ seen, ...given });
  let place: FrameId = seen ?? startOfStream;
  let isDone = false;
  let unsent = earlier.filter(({ id }) => !seen || isAfter(id, seen));

  const placed: Projection<PlacedEvent> = {
    apply(item) {
      const first = unsent;
      unsent = [];
      const unseen = placedEvents.apply(item).filter(({ id }) => {
        isDone ||= id.isLast;
        return !seen || isAfter(id, seen);
      });
      const sent = [...first, ...unseen];
      place = sent.at(-1)?.id ?? place;
      return sent;
    },
    isDone: () => isDone,
    end() {
      if (isDone) return [];
      // The chat was erased, so there is no place to resume at.
      const last = { ...place, index: place.index + 1, isLast: true };
      return [
        { id: place, event: disconnected },
        { id: last, event: { type: 'done', data: { reason: 'error' } } },
      ];
    },
    fail(error) {
      // Logs the error. The client gets no details.
      safeErrorText(error, logger);
      return disconnect();
    },
    leave: disconnect,
  };

  function disconnect(): PlacedEvent[] {
    return isDone ? [] : [{ id: place, event: disconnected }];
  }

  return projectStream(
    { runId, ...stream },
    eventFrames(placed, (event) => toFrame(runId, event)),
  );
}

function toFrame(stream: RunId, { id, event: { type, data } }: PlacedEvent): string {
  return `id: ${formatFrameId(stream, id)}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
