import type { OpenRequest } from '../../flow/plugin/http.ts';
import { steadyTime } from '../../protocol/clock/clock.ts';
import type { Clock } from '../../protocol/index.ts';
import { joinFrames } from './join-frames.ts';

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
      // Proxies that compress or buffer would delay frames.
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
  const keepAlive = createKeepAlive(clock, keepAliveMs);
  let endWatch = () => {};
  let isOver = false;
  let isClosed = false;

  function finish(): void {
    if (isOver) return;
    isOver = true;
    keepAlive.end();
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
        keepAlive.begin(() => {
          // No comments are queued for a client that does not read.
          if (controller.desiredSize === 0) controller.enqueue(encoder.encode(': keep-alive\n\n'));
        });
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
            keepAlive.sent();
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

/** One timer, not one per frame: when it fires, it checks whether a frame was sent since. */
function createKeepAlive(clock: Clock, keepAliveMs: number) {
  let lastAt = steadyTime(clock);
  let cancelTimer = () => {};

  function watch(send: () => void, ms: number): void {
    cancelTimer();
    const since = steadyTime(clock);
    cancelTimer = clock.after(ms, () => {
      if (lastAt > since) {
        watch(send, Math.max(1, keepAliveMs - (steadyTime(clock) - lastAt)));
        return;
      }
      send();
      watch(send, keepAliveMs);
    });
  }

  return {
    /** @param send sends a comment */
    begin: (send: () => void): void => watch(send, keepAliveMs),
    sent(): void {
      lastAt = steadyTime(clock);
    },
    end: (): void => cancelTimer(),
  };
}
