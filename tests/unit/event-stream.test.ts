import { fakeClock } from 'countersign/testing';
import { describe, expect, it, vi } from 'vitest';
import { eventStreamResponse } from '../../lib/server/event-stream/event-stream.ts';
import { joinFrames } from '../../lib/server/event-stream/join-frames.ts';
import { clockToSetBack } from '../support/clock-to-set-back.ts';
import { untilIdle } from '../support/until-idle.ts';

const text = new TextDecoder();

/** Of a session that never ends. */
const watchSession = () => () => {};

/** A request whose end nobody looks at. */
const request = { signal: new AbortController().signal, onEnd: () => {}, watchSession };

/** A stream that somebody writes into, and how often it was read. */
function written() {
  let control: ReadableStreamDefaultController<string> | undefined;
  const seen = { pulls: 0, cancelledWith: undefined as unknown };
  const stream = new ReadableStream<string>(
    {
      start: (controller) => {
        control = controller;
      },
      pull: () => {
        seen.pulls += 1;
      },
      cancel: (reason) => {
        seen.cancelledWith = reason;
      },
    },
    { highWaterMark: 0 },
  );
  return {
    stream,
    seen,
    write: (...frames: string[]) => {
      for (const frame of frames) control?.enqueue(frame);
    },
    end: () => control?.close(),
    break: (error: Error) => control?.error(error),
  };
}

describe('frames that are ready together', () => {
  it('leave together, in growing groups, and none is lost', async () => {
    const source = written();
    source.write(...'abcdefghij');
    source.end();
    const next = joinFrames(source.stream.getReader());
    const pieces: (string | undefined)[] = [];
    do pieces.push(await next());
    while (pieces.at(-1) !== undefined);
    expect(pieces).toEqual(['a', 'bc', 'def', 'ghij', undefined]);
  });

  it('do not wait for others: one leaves before the next turn of the event loop', async () => {
    const source = written();
    const next = joinFrames(source.stream.getReader());
    source.write('a');
    await next();
    const order: unknown[] = [];
    const turned = new Promise<void>((resolve) => {
      setImmediate(() => {
        order.push('turn');
        resolve();
      });
    });
    const left = next().then((piece) => order.push(piece));
    source.write('b');
    await Promise.all([turned, left]);
    expect(order).toEqual(['b', 'turn']);
  });

  it('leave when they are large, however many more are ready', async () => {
    const source = written();
    const large = 'x'.repeat(20_000);
    source.write('a', large, 'b', 'c');
    const next = joinFrames(source.stream.getReader());
    expect([await next(), await next()]).toEqual(['a', large]);
  });

  it('are not read while no one requests them', async () => {
    const source = written();
    const next = joinFrames(source.stream.getReader());
    source.write('a');
    await next();
    await untilIdle();
    expect(source.seen.pulls).toBe(0);
  });

  it('reject a waiting reader when they break', async () => {
    const source = written();
    const next = joinFrames(source.stream.getReader());
    const waiting = next();
    source.break(new Error('Broken.'));
    await expect(waiting).rejects.toThrow('Broken.');
  });
});

describe('an event stream', () => {
  it('sends a comment after a period of silence, counted from the last frame', async () => {
    const clock = fakeClock();
    const source = written();
    const reader = eventStreamResponse(source.stream, {
      clock,
      keepAliveMs: 100,
      ...request,
    }).body?.getReader();
    const read = async () => text.decode((await reader?.read())?.value);

    clock.advance(60);
    source.write('data: 1\n\n');
    expect(await read()).toBe('data: 1\n\n');
    const next = read();
    clock.advance(99);
    source.write('data: 2\n\n');
    expect(await next).toBe('data: 2\n\n');
    const comment = read();
    clock.advance(100);
    expect(await comment).toBe(': keep-alive\n\n');
    await reader?.cancel();
  });

  it('sends the comment in time when the machine’s time was set back', async () => {
    const clock = clockToSetBack();
    const after = vi.spyOn(clock, 'after');
    const source = written();
    const settings = { clock, keepAliveMs: 100, ...request };
    const reader = eventStreamResponse(source.stream, settings).body?.getReader();
    clock.advance(60);
    source.write('data: 1\n\n');
    await reader?.read();
    clock.setBack();
    clock.advance(40);
    expect(after.mock.lastCall?.[0]).toBe(60);
    await reader?.cancel();
  });

  it('queues at most one comment for a client that does not read', async () => {
    const clock = fakeClock();
    const source = written();
    const settings = { clock, keepAliveMs: 100, ...request };
    const reader = eventStreamResponse(source.stream, settings).body?.getReader();
    for (let silence = 0; silence < 3; silence += 1) clock.advance(100);
    source.write('data: 1\n\n');
    const read = async () => text.decode((await reader?.read())?.value);
    expect([await read(), await read()]).toEqual([': keep-alive\n\n', 'data: 1\n\n']);
    await reader?.cancel();
  });

  it('sets no timer for a frame', async () => {
    const timers: number[] = [];
    const clock = fakeClock();
    const counting = {
      now: clock.now,
      after: (ms: number, callback: () => void) => {
        timers.push(ms);
        return clock.after(ms, callback);
      },
    };
    const source = written();
    source.write(...'abcdefghij');
    source.end();
    await eventStreamResponse(source.stream, { clock: counting, keepAliveMs: 100, ...request }).text();
    expect(timers).toEqual([100]);
  });

  it('cancels its source, even while it waits for it', async () => {
    const source = written();
    const reader = eventStreamResponse(source.stream, {
      clock: fakeClock(),
      keepAliveMs: 100,
      ...request,
    }).body?.getReader();
    const waiting = reader?.read();
    await reader?.cancel('gone');
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(source.seen.cancelledWith).toBe('gone');
  });

  it.each<[string, (end: { source: ReturnType<typeof written>; left: AbortController }) => unknown]>([
    ['ends', ({ source }) => source.end()],
    ['breaks', ({ source }) => source.break(new Error('Broken.'))],
    ['has a client that leaves while it is read', ({ left }) => left.abort()],
  ])('reports once that it has ended when it %s', async (_how, end) => {
    const source = written();
    const left = new AbortController();
    let ends = 0;
    const onEnd = () => {
      ends += 1;
    };
    const settings = { clock: fakeClock(), keepAliveMs: 100, signal: left.signal, onEnd, watchSession };
    const reader = eventStreamResponse(source.stream, settings).body?.getReader();
    const reading = reader?.read().catch(() => {});
    end({ source, left });
    await reading;
    await reader?.cancel().catch(() => {});
    left.abort();
    expect(ends).toBe(1);
  });

  it('ends, and cancels its source, when the session of its request has ended', async () => {
    const source = written();
    const session = { end: () => {} };
    const reader = eventStreamResponse(source.stream, {
      clock: fakeClock(),
      keepAliveMs: 100,
      ...request,
      watchSession: (onEnd) => {
        session.end = onEnd;
        return () => {};
      },
    }).body?.getReader();
    const reading = reader?.read();
    session.end();
    expect(source.seen.cancelledWith).toBe('The session has ended.');
    expect(await reading).toEqual({ done: true, value: undefined });
  });

  it('survives a source that throws when it is cancelled', () => {
    const left = new AbortController();
    const frames = new ReadableStream<string>();
    const reader = frames.getReader();
    vi.spyOn(frames, 'getReader').mockReturnValue(reader as never);
    vi.spyOn(reader, 'cancel').mockImplementation(() => {
      throw new TypeError('This stream is about to close.');
    });
    eventStreamResponse(frames, { ...request, clock: fakeClock(), keepAliveMs: 100, signal: left.signal });
    expect(() => left.abort()).not.toThrow();
  });

  it.each(['before', 'after'])(
    'cancels its source for a client that disconnected %s it was created, even if no one reads or cancels it',
    (when) => {
      const clock = fakeClock();
      const source = written();
      const left = new AbortController();
      let ends = 0;
      const onEnd = () => {
        ends += 1;
      };
      if (when === 'before') left.abort('gone');
      eventStreamResponse(source.stream, {
        clock,
        keepAliveMs: 100,
        signal: left.signal,
        onEnd,
        watchSession,
      });
      if (when === 'after') left.abort('gone');
      expect(ends).toBe(1);
      expect(source.seen.cancelledWith).toBe('gone');
    },
  );
});
