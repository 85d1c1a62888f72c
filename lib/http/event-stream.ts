import type { Clock } from '../vocabulary/index.ts';

/** Settings of a stream of server-sent events. */
export type EventStreamSettings = {
  readonly clock: Clock;
  /** Silence after which a comment is sent, so that proxies keep the connection. Milliseconds. */
  readonly keepAliveMs: number;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Shorter than the idle limits of common proxies (30-60 s). */
export const defaultKeepAliveMs = 15_000;

/**
 * A response of server-sent events. Pulls from the source only as fast as the client reads, one frame ahead; a
 * client that goes away cancels the source.
 *
 * @param frames whole frames, each ending in an empty line; must not fail
 */
export function eventStreamResponse(frames: ReadableStream<string>, settings: EventStreamSettings): Response {
  const body = withKeepAlive(frames, settings).pipeThrough(new TextEncoderStream());
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      // Compressing and buffering proxies would hold frames back.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      ...settings.headers,
    },
  });
}

function withKeepAlive(frames: ReadableStream<string>, { clock, keepAliveMs }: EventStreamSettings) {
  const reader = frames.getReader();
  let cancelTimer = () => {};
  const schedule = (controller: ReadableStreamDefaultController<string>) => {
    cancelTimer();
    cancelTimer = clock.after(keepAliveMs, () => {
      // A client that does not read gets no comments piled up.
      if ((controller.desiredSize ?? 0) > 0) controller.enqueue(': keep-alive\n\n');
      schedule(controller);
    });
  };
  return new ReadableStream<string>({
    start: schedule,
    async pull(controller) {
      const next = await reader.read();
      if (next.done) {
        cancelTimer();
        controller.close();
        return;
      }
      controller.enqueue(next.value);
      schedule(controller);
    },
    async cancel(reason) {
      cancelTimer();
      await reader.cancel(reason);
    },
  });
}
