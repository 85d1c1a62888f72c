import type { ChatId, FlowEvent, Logger } from '../../protocol/index.ts';
import { safeErrorText } from '../../server/errors.ts';
import { eventFrames } from '../../server/event-stream/event-frames.ts';
import type { FlowStream } from '../../views/flow-stream.ts';
import { projectStream } from '../../views/reader/project-stream.ts';
import type { Projection } from '../../views/reader/projection.ts';
import type { ToolEvent } from './client/schema.ts';
import { type FramePlace, formatFrameId, isAfter } from './frame-id.ts';
import { createToolEventProjection } from './projection.ts';

/** A frame, and its place; none for an error of the connection, which is not in the log. */
type PlacedFrame = { readonly event: ToolEvent; readonly place?: FramePlace };

type FramesOptions = {
  readonly chatId: ChatId;
  /** Whether the client shows questions. */
  readonly asks: boolean;
  readonly logger: Logger | undefined;
};

/**
 * The frames of a message, without ids, from its start.
 *
 * @source A1, A25
 */
export function messageFrames(stream: FlowStream, options: FramesOptions): ReadableStream<string> {
  return projectStream(
    stream,
    eventFrames(placedFrames(stream, options), ({ event }) => toFrame(event)),
  );
}

/**
 * The same with ids, for readers that resume. Ends as the stream does, or early if a model step begins again whose text the
 * reader has: it resumes, and its message begins again.
 *
 * @param options.seen the last frame that the client has
 * @param options.brokenOff the `seq` of text whose model step has begun again
 * @source A1, A22
 */
export function resumableFrames(
  stream: FlowStream,
  {
    seen: given,
    brokenOff,
    ...options
  }: FramesOptions & { readonly seen: FramePlace | undefined; readonly brokenOff: ReadonlySet<number> },
): ReadableStream<string> {
  const all = placedFrames(stream, options);
  const seen = given && brokenOff.has(given.seq) ? undefined : given;
  const step = createStepText();

  const unseen: Projection<PlacedFrame> = {
    ...all,
    apply(item) {
      step.apply(item.event);
      if (step.isRepeated || brokenOff.has(item.event.seq)) return [];
      if (item.event.type === 'text-delta') step.hasText = true;
      return all.apply(item).filter(({ place }) => !place || !seen || isAfter(place, seen));
    },
    isDone: () => step.isRepeated,
  };
  return projectStream(
    stream,
    eventFrames(unseen, ({ event, place }) =>
      place ? `id: ${formatFrameId(options.chatId, place)}\n${toFrame(event)}` : toFrame(event),
    ),
  );
}

/** Notices a model step that begins again although the reader has some of its text. */
function createStepText() {
  let current: number | undefined;
  return {
    hasText: false,
    isRepeated: false,

    apply(event: FlowEvent): void {
      if (event.type === 'message-received' || event.type === 'history-cut') current = undefined;
      if (event.type !== 'step-started') return;
      this.isRepeated = event.step === current && this.hasText;
      this.hasText = false;
      current = event.step;
    },
  };
}

function placedFrames(
  { view }: FlowStream,
  { chatId, asks, logger }: FramesOptions,
): Projection<PlacedFrame> {
  const toolEvents = createToolEventProjection(chatId, view);
  let isOver = false;
  const failure = (message: string, retryable: boolean): PlacedFrame[] =>
    isOver ? [] : [{ event: { type: 'error', code: 'INTERNAL_ERROR', message, retryable } }];

  return {
    apply(item) {
      const frames = toolEvents.apply(item).flatMap((event, index): PlacedFrame[] => {
        const isShown = asks || event.type !== 'approval_request';
        return isShown ? [{ event, place: { seq: item.event.seq, index } }] : [];
      });
      for (const { event } of frames) isOver = event.type === 'message_end' || event.type === 'error';
      return frames;
    },
    end: () => failure('This conversation is gone.', false),
    fail: (error) => failure(safeErrorText(error, logger), true),
  };
}

function toFrame(event: ToolEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
