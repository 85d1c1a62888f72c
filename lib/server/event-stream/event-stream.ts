import type { Clock } from '../../protocol/index.ts';
import type { OpenRequest } from '../limits/counted-response.ts';
import { joinFrames } from './join-frames.ts';

/** Settings of a stream of server-sent events. */
export type EventStreamSettings = OpenRequest & {
  readonly clock: Clock;
  /** Silence after which a comment is sent, so that proxies keep the connection. Milliseconds. */
  readonly keepAliveMs: number;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Shorter than the idle limits of common proxies (30-60 s). */
export const defaultKeepAliveMs = 15_000;

/**
 * A response of server-sent events. Pulls from the source only as fast as the client reads, and nothing ahead;
 * frames that are ready together travel together. The source is cancelled when the client leaves (by the response's body, or
 * by `signal`, since a server neither reads nor cancels the body of a response that comes after its client has left), and
 * when its session ends.
 *
 * @param frames whole frames, each ending in an empty line; must not fail
 */
export function eventStreamResponse(frames: ReadableStream<string>, settings: EventStreamSettings): Response {
  return new Response(eventBytes(frames.getReader(), settings), {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      // Compressing and buffering proxies would hold frames back.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      ...settings.headers,
    },
  });
}

function eventBytes(
  frames: ReadableStreamDefaultReader<string>,
  { clock, keepAliveMs, signal, onEnd, watchSession }: EventStreamSettings,
) {
  const encoder = new TextEncoder();
  const nextPiece = joinFrames(frames);
  let lastAt = clock.now();
  let cancelTimer = () => {};
  let endWatch = () => {};
  let isOver = false;
  let isClosed = false;

  /** One timer, not one per frame: when it fires, it checks whether a frame was sent since. */
  function watch(controller: ReadableStreamDefaultController<Uint8Array>, ms: number): void {
    cancelTimer();
    const since = clock.now();
    cancelTimer = clock.after(ms, () => {
      if (lastAt > since) {
        watch(controller, Math.max(1, keepAliveMs - (clock.now() - lastAt)));
        return;
      }
      // No comments are queued for a client that does not read.
      if (controller.desiredSize === 0) controller.enqueue(encoder.encode(': keep-alive\n\n'));
      watch(controller, keepAliveMs);
    });
  }

  function finish(): void {
    if (isOver) return;
    isOver = true;
    cancelTimer();
    endWatch();
    signal.removeEventListener('abort', onAbort);
    onEnd();
  }

  function close(controller: ReadableStreamDefaultController<Uint8Array>): void {
    if (isClosed) return;
    isClosed = true;
    controller.close();
  }

  function leave(reason: unknown): void {
    finish();
    void cancelFrames(reason).catch(() => {});
  }

  function onAbort(): void {
    leave(signal.reason);
  }

  /** Node throws synchronously if a stream is about to close, instead of rejecting. */
  async function cancelFrames(reason: unknown): Promise<void> {
    await frames.cancel(reason);
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        watch(controller, keepAliveMs);
        signal.addEventListener('abort', onAbort);
        if (signal.aborted) return onAbort();
        endWatch = watchSession(() => {
          leave('The session has ended.');
          close(controller);
        });
      },
      async pull(controller) {
        try {
          const piece = await nextPiece();
          if (piece !== undefined && !isOver) {
            lastAt = clock.now();
            controller.enqueue(encoder.encode(piece));
            return;
          }
        } catch (error) {
          finish();
          throw error;
        }
        finish();
        close(controller);
      },
      async cancel(reason) {
        isClosed = true;
        finish();
        await frames.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
