import { AsyncLocalStorage } from 'node:async_hooks';
import { fakeClock } from 'countersign/testing';
import { describe, expect, it, vi } from 'vitest';
import { CountersignError, type Principal } from '../../lib/protocol/index.ts';
import { eventStreamResponse } from '../../lib/server/event-stream/event-stream.ts';
import { createSessionWatch } from '../../lib/server/identity/session-watch.ts';
import { untilIdle } from '../support/until-idle.ts';

const ada: Principal = { id: 'ada', name: 'Ada' };
const request = new Request('http://127.0.0.1/');
const sessionCheckMs = 3_000;

/** Watches sessions whose end the test decides. */
function watching(authorize: () => Principal | null | Promise<Principal | null>) {
  const clock = fakeClock();
  const logger = { warn: vi.fn(), error: vi.fn() };
  const asked = vi.fn(authorize);
  const watch = createSessionWatch({ authorize: asked, clock, logger, sessionCheckMs });
  const sweep = async () => {
    clock.advance(sessionCheckMs);
    await untilIdle();
  };
  return { watch, clock, logger, asked, sweep };
}

describe('the session watch', () => {
  it('checks each open connection once a sweep, and none that was closed', async () => {
    const { watch, asked, sweep } = watching(() => ada);
    const ends = [vi.fn(), vi.fn(), vi.fn()];
    const stops = ends.map((onEnd) => watch(request, onEnd));
    await sweep();
    expect(asked).toHaveBeenCalledTimes(3);
    stops[0]?.();
    await sweep();
    expect(asked).toHaveBeenCalledTimes(5);
    for (const stop of stops) stop();
    await sweep();
    expect(asked).toHaveBeenCalledTimes(5);
    for (const onEnd of ends) expect(onEnd).not.toHaveBeenCalled();
  });

  it.each<[string, () => null]>([
    ['no one', () => null],
    [
      'a refusal',
      () => {
        throw new CountersignError('unauthenticated', 'The session has ended.');
      },
    ],
  ])('calls back once when `authorize` returns %s', async (_what, authorize) => {
    const { watch, sweep } = watching(authorize);
    const onEnd = vi.fn();
    watch(request, onEnd);
    await sweep();
    await sweep();
    expect(onEnd).toHaveBeenCalledOnce();
  });

  it('closes nothing during an outage, logs it once, and continues checking', async () => {
    let answer = (): Principal | null => {
      throw new Error('The database is away.');
    };
    const { watch, sweep, logger } = watching(() => answer());
    const onEnd = vi.fn();
    watch(request, onEnd);
    await sweep();
    await sweep();
    expect(logger.error).toHaveBeenCalledOnce();
    expect(onEnd).not.toHaveBeenCalled();
    answer = () => null;
    await sweep();
    expect(onEnd).toHaveBeenCalledOnce();
  });

  it('does not check a connection twice at the same time, and checks the others', async () => {
    const slow = Promise.withResolvers<Principal | null>();
    let isFirst = true;
    const { watch, asked, sweep } = watching(() => {
      if (!isFirst) return ada;
      isFirst = false;
      return slow.promise;
    });
    const onEnd = vi.fn();
    watch(request, onEnd);
    watch(request, vi.fn());
    await sweep();
    await sweep();
    expect(asked).toHaveBeenCalledTimes(3);
    slow.resolve(null);
    await sweep();
    expect(onEnd).toHaveBeenCalledOnce();
  });

  it('does not call back for a connection that closed during the check', async () => {
    const slow = Promise.withResolvers<Principal | null>();
    const { watch, sweep } = watching(() => slow.promise);
    const onEnd = vi.fn();
    const stop = watch(request, onEnd);
    await sweep();
    stop();
    slow.resolve(null);
    await sweep();
    expect(onEnd).not.toHaveBeenCalled();
  });

  it('checks in the context of the request, where frameworks keep what `authorize` reads', async () => {
    const context = new AsyncLocalStorage<string>();
    const { watch, sweep, asked } = watching(() => (context.getStore() === 'a request' ? ada : null));
    const onEnd = vi.fn();
    context.run('a request', () => watch(request, onEnd));
    await sweep();
    expect(asked).toHaveBeenCalledOnce();
    expect(onEnd).not.toHaveBeenCalled();
  });
});

describe('an event stream whose session ends', () => {
  it('ends, cancels its source, and sends nothing that arrives later', async () => {
    let frame: ((text: string) => void) | undefined;
    let cancelledWith: unknown;
    const frames = new ReadableStream<string>({
      start(controller) {
        frame = (text) => controller.enqueue(text);
      },
      cancel(reason) {
        cancelledWith = reason;
      },
    });
    let end = () => {};
    const stopWatching = vi.fn();
    const response = eventStreamResponse(frames, {
      clock: fakeClock(),
      keepAliveMs: 1_000,
      signal: new AbortController().signal,
      onEnd: () => {},
      watchSession(onEnd) {
        end = onEnd;
        return stopWatching;
      },
    });
    frame?.('data: 1\n\n');
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 1\n\n');
    const next = reader?.read();
    end();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(cancelledWith).toBe('The session has ended.');
    expect(stopWatching).toHaveBeenCalledOnce();
  });
});
