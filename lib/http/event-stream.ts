import type { Clock } from '../vocabulary/index.ts';
import { type FrameReader, joinFrames } from './joined-frames.ts';
import type { Visit } from './route.ts';

/** Settings of a stream of server-sent events. */
export type EventStreamSettings = {
  readonly clock: Clock;
  /** Silence after which a comment is sent, so that proxies keep the connection. Milliseconds. */
  readonly keepAliveMs: number;
  /** Ends the stream with the session of its request. Without it the stream outlives the session. */
  readonly watchSession?: Visit['watchSession'];
  readonly headers?: Readonly<Record<string, string>>;
};

/** Shorter than the idle limits of common proxies (30-60 s). */
export const defaultKeepAliveMs = 15_000;

/**
 * A response of server-sent events. Pulls from the source only as fast as the client reads, and nothing ahead;
 * frames that are ready together travel together. A client that goes away cancels the source, and so does the end of
 * its session.
 *
 * @param frames whole frames, each ending in an empty line; must not fail
 */
export function eventStreamResponse(
  frames: ReadableStream<string> | FrameReader,
  settings: EventStreamSettings,
): Response {
  const reader = 'getReader' in frames ? frames.getReader() : frames;
  return new Response(eventBytes(reader, settings), {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      // Compressing and buffering proxies would hold frames back.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      ...settings.headers,
    },
  });
}

function eventBytes(frames: FrameReader, { clock, keepAliveMs, watchSession }: EventStreamSettings) {
  const encoder = new TextEncoder();
  const nextPiece = joinFrames(frames);
  let lastAt = clock.now();
  let cancelTimer = () => {};
  let endWatch = () => {};
  let isOver = false;

  /** One timer, which looks when it rings whether it was quiet since: frames come far more often than it rings. */
  function watch(controller: ReadableStreamDefaultController<Uint8Array>, ms: number): void {
    cancelTimer();
    const since = clock.now();
    cancelTimer = clock.after(ms, () => {
      if (lastAt > since) {
        watch(controller, Math.max(1, keepAliveMs - (clock.now() - lastAt)));
        return;
      }
      // A client that does not read gets no comments piled up.
      if (controller.desiredSize === 0) controller.enqueue(encoder.encode(': keep-alive\n\n'));
      watch(controller, keepAliveMs);
    });
  }

  function end(): void {
    isOver = true;
    cancelTimer();
    endWatch();
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        watch(controller, keepAliveMs);
        endWatch =
          watchSession?.(() => {
            end();
            controller.close();
            void frames.cancel('The session has ended.').catch(() => {});
          }) ?? endWatch;
      },
      async pull(controller) {
        const piece = await nextPiece();
        if (isOver) return;
        if (piece === undefined) {
          end();
          controller.close();
          return;
        }
        lastAt = clock.now();
        controller.enqueue(encoder.encode(piece));
      },
      async cancel(reason) {
        end();
        await frames.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
