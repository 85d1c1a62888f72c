import { describe, expect, it } from 'vitest';
import { type Source, SourceStream } from '../../lib/log/follow/source-stream.ts';
import { pullThrough } from '../../lib/views/reader/pull-through.ts';

/** A source of numbers that are there already, and how it was used. */
function counting(last: number) {
  const seen = { taken: 0, cancelledWith: undefined as unknown };
  const source: Source<number> = {
    next: () => (seen.taken < last ? ++seen.taken : undefined),
    cancel(reason) {
      seen.cancelledWith = reason;
      return undefined;
    },
  };
  return { stream: new SourceStream(source), seen };
}

/** A source whose only item has to be waited for. */
function waiting() {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const stream = new SourceStream<number>({
    next: () => promise,
    cancel() {
      resolve(undefined);
      return undefined;
    },
  });
  return { stream, resolve, reject };
}

const texts = { push: (item: number) => [`${item}`], end: () => ['end'] };

async function allOf<Item>(stream: ReadableStream<Item>): Promise<Item[]> {
  return Array.fromAsync(stream);
}

describe('a stream of a source', () => {
  it('reads nothing ahead', async () => {
    const { stream, seen } = counting(3);
    const reader = stream.getReader();
    expect(seen.taken).toBe(0);
    expect(await reader.read()).toEqual({ done: false, value: 1 });
    expect(seen.taken).toBe(1);
  });

  it('is read to its end', async () => {
    expect(await allOf(counting(3).stream)).toEqual([1, 2, 3]);
  });

  it('cancels the source, also during a wait', async () => {
    const { stream } = waiting();
    const reader = stream.getReader();
    const read = reader.read();
    await reader.cancel();
    expect(await read).toEqual({ done: true, value: undefined });
  });
});

describe('a stage of a stream of a source', () => {
  it('takes items that have no output without waiting', async () => {
    const { stream, seen } = counting(1_000);
    const stage = { start: () => [0], push: (item: number) => (item < 1_000 ? [] : [item]) };
    const reader = pullThrough(stream, stage).getReader();
    await reader.read();
    const last = reader.read();
    expect(seen.taken).toBe(1_000);
    expect(await last).toEqual({ done: false, value: 1_000 });
  });

  it('reads no item before an output is asked for, and none ahead', async () => {
    const { stream, seen } = counting(3);
    const reader = pullThrough(stream, texts).getReader();
    expect(seen.taken).toBe(0);
    await reader.read();
    expect(seen.taken).toBe(1);
  });

  it('gets the end', async () => {
    expect(await allOf(pullThrough(counting(2).stream, texts))).toEqual(['1', '2', 'end']);
  });

  it('locks the stream', () => {
    const { stream } = counting(2);
    pullThrough(stream, texts);
    expect(stream.locked).toBe(true);
    expect(() => pullThrough(stream, texts)).toThrow(TypeError);
  });

  it('continues where another reader stopped, which may have left an item behind', async () => {
    const { stream } = counting(4);
    const reader = stream.getReader();
    await reader.read();
    const dropped = reader.read();
    reader.releaseLock();
    await expect(dropped).rejects.toThrow(TypeError);
    expect(await allOf(pullThrough(stream, texts))).toEqual(['2', '3', '4', 'end']);
  });

  it('cancels the source during a wait, and passes nothing on', async () => {
    const { stream } = waiting();
    const reader = pullThrough(stream, texts).getReader();
    const read = reader.read();
    await reader.cancel('gone');
    expect(await read).toEqual({ done: true, value: undefined });
  });

  it('cancels the source when nothing follows', async () => {
    const { stream, seen } = counting(9);
    const once = pullThrough(stream, { push: (item) => [item], isDone: () => seen.taken === 2 });
    expect(await allOf(once)).toEqual([1, 2]);
    expect(seen.taken).toBe(2);
  });

  const broken = new Error('The store failed.');

  it.each<[when: string, stream: () => ReadableStream<number>]>([
    [
      'at once',
      () =>
        new SourceStream<number>({
          next() {
            throw broken;
          },
          cancel: () => undefined,
        }),
    ],
    [
      'after a wait',
      () => {
        const { stream, reject } = waiting();
        reject(broken);
        return stream;
      },
    ],
    ['as any other stream', () => new ReadableStream({ start: (controller) => controller.error(broken) })],
  ])('ends with its last outputs if the source fails %s; without any it fails', async (_when, stream) => {
    const fail = (error: unknown) => [`failed: ${error instanceof Error && error.message}`];
    expect(await allOf(pullThrough(stream(), { ...texts, fail }))).toEqual(['failed: The store failed.']);
    await expect(allOf(pullThrough(stream(), texts))).rejects.toThrow(broken);
  });
});
