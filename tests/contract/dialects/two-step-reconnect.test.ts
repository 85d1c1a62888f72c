import { sqliteStore } from 'countersign/store';
import { fakeClock, type Script } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import {
  emptyStreamState,
  interruptStream,
  reduceStreamEvent,
} from '../../../lib/plugins/two-step-stream/client/reducer.ts';
import type { StreamEvent } from '../../../lib/plugins/two-step-stream/client/schema.ts';
import { cutOffStore } from '../../support/cut-off-store.ts';
import { passTime, passTimeUntil } from '../../support/pass-time.ts';
import { gate } from './support/gate.ts';
import { serveDialects } from './support/serve-dialects.ts';
import {
  arrivingFrames,
  getStream,
  listenToStream,
  startStream,
  streamFrames,
  type WireFrame,
} from './support/two-step-client.ts';

const weather = (id: string) => ({ call: 'weather', id, input: { city: 'Oslo' } });
const textOf = (events: readonly StreamEvent[]) =>
  events.map((event) => (event.type === 'message_chunk' ? event.data.text : '')).join('');

/** A `fetch` whose first connection breaks when a test says so; the headers of each are kept. */
function breakable() {
  const seen: (string | null)[] = [];
  const first = Promise.withResolvers<TransformStreamDefaultController>();
  const fetchStream: typeof fetch = async (input, init) => {
    seen.push(new Headers(init?.headers).get('last-event-id'));
    const response = await fetch(input, init);
    if (seen.length > 1) return response;
    const line = new TransformStream({ start: first.resolve });
    return new Response(response.body?.pipeThrough(line), response);
  };
  return {
    fetchStream,
    seen,
    break: async () => (await first.promise).error(new TypeError('The line broke.')),
  };
}

describe('two-step stream: an EventSource', () => {
  it('reads a whole stream, and stops permanently after it reconnected with the id of done [B3, B13, B17]', async () => {
    const { url } = await serveDialects([[{ text: 'Let me look.' }, weather('a')], [{ text: 'Sunny.' }]]);
    const { stream_id } = await startStream(url, 'Weather?');
    const { events, end, source, until, ids } = listenToStream(url, stream_id);
    expect(await end).toBe('done');
    const state = events.reduce(reduceStreamEvent, emptyStreamState);
    expect(state.text).toBe('Let me look.Sunny.');
    expect(state.activities.get('a')).toMatchObject({ status: 'completed' });
    expect(state.done).toBe('complete');
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.at(-1)).toMatch(/\.done$/);
    // The server ended the response, so the source reconnects by itself: 204 is what stops it.
    await until(() => source.readyState === source.CLOSED);
    expect(events.filter(({ type }) => type === 'done')).toHaveLength(1);
  });

  it('reconnects with Last-Event-ID during a run, and misses and repeats nothing [B17]', async () => {
    const held = gate();
    const { url } = await serveDialects([
      [{ text: 'One. ' }, weather('a')],
      [{ text: 'Two. ' }, { wait: held.passed }, { text: 'Three.' }],
    ]);
    const { stream_id } = await startStream(url, 'Count');
    const line = breakable();
    const { events, end, until, lost } = listenToStream(url, stream_id, line.fetchStream);
    await until(() => textOf(events).includes('Two.'));
    await line.break();
    await until(() => lost.length > 0);
    held.open();
    expect(await end).toBe('done');
    expect(textOf(events)).toBe('One. Two. Three.');
    expect(events.filter(({ type }) => type === 'tool_call')).toHaveLength(1);
    expect(line.seen[0]).toBeNull();
    expect(line.seen[1]).toMatch(/^[\w-]+\.\d+\.\d+$/);
  });

  it('reads a stream that arrives byte by byte and breaks in the middle of a character [B3, B17]', async () => {
    const { url } = await serveDialects([[{ text: 'Look. Ä😀 ' }, weather('a')], [{ text: 'Sunny.' }]]);
    const { stream_id } = await startStream(url, 'Weather?');
    const whole = await streamFrames(url, stream_id);
    let connections = 0;
    const byteByByte: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      connections += 1;
      const isFirst = connections === 1;
      const bytes = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          for (const byte of chunk) {
            controller.enqueue(Uint8Array.of(byte));
            // The first byte of four.
            if (isFirst && byte === 0xf0) return controller.terminate();
          }
        },
      });
      return new Response(response.body?.pipeThrough(bytes), response);
    };
    const { events, ids, end } = listenToStream(url, stream_id, byteByByte);
    expect(await end).toBe('done');
    expect(events).toEqual(whole.map(({ event }) => event));
    expect(ids).toEqual(whole.map(({ id }) => id));
  });

  it('recognizes an `error` frame, although it reaches `onerror`, and continues reading [B6, B17]', async () => {
    const { url } = await serveDialects([[{ call: 'no_tool', id: 'bad' }], [{ text: 'Anyway.' }]]);
    const { stream_id } = await startStream(url, 'Go');
    const { events, end, lost } = listenToStream(url, stream_id);
    expect(await end).toBe('done');
    expect(lost).toEqual([]);
    const state = events.reduce(reduceStreamEvent, emptyStreamState);
    expect(state.activities.get('bad')).toMatchObject({ status: 'failed' });
    expect(state).toMatchObject({ text: 'Anyway.', done: 'complete' });
    expect(state.error).toBeUndefined();
  });

  it('marks pending calls as interrupted when the connection breaks, and resolves them afterwards [B13, B15]', async () => {
    const held = gate();
    const { url } = await serveDialects(
      [[{ text: 'Look. ' }, { call: 'slow', id: 'a' }], [{ text: 'Done.' }]],
      {
        tools: {
          slow: {
            inputSchema: z.object({}),
            execute: async () => {
              await held.passed;
              return ['found'];
            },
          },
        } as never,
      },
    );
    const { stream_id } = await startStream(url, 'Go');
    const line = breakable();
    const { events, end, until, lost } = listenToStream(url, stream_id, line.fetchStream);
    await until(() => events.some(({ type }) => type === 'tool_call'));
    await line.break();
    await until(() => lost.length > 0);
    const broken = interruptStream(events.reduce(reduceStreamEvent, emptyStreamState));
    expect(broken.activities.get('a')?.status).toBe('interrupted');
    const place = events.length;
    held.open();
    expect(await end).toBe('done');
    const after = events.slice(place).reduce(reduceStreamEvent, broken);
    expect(after.activities.get('a')).toMatchObject({ status: 'completed', message: '1 result' });
  });
});

describe('two-step stream: replay', () => {
  it('gives every frame an id, and replays a finished stream from its start or after any frame [B17]', async () => {
    const { url } = await serveDialects([[{ text: 'Look.' }, weather('a')], [{ text: 'Sunny.' }]]);
    const { stream_id } = await startStream(url, 'Weather?');
    const whole = await streamFrames(url, stream_id);
    expect(await streamFrames(url, stream_id)).toEqual(whole);
    for (const [index, { id }] of whole.slice(0, -1).entries()) {
      expect(await streamFrames(url, stream_id, { 'last-event-id': id })).toEqual(whole.slice(index + 1));
    }
    const last = whole.at(-1)?.id ?? '';
    expect((await getStream(url, stream_id, { 'last-event-id': last })).status).toBe(204);
    expect(await streamFrames(url, stream_id, { 'last-event-id': 'nonsense' })).toEqual(whole);
  });

  it('takes the last id as `lastEventId` in the query, too [B17]', async () => {
    const { url } = await serveDialects([[{ text: 'Look.' }, weather('a')], [{ text: 'Sunny.' }]]);
    const { stream_id } = await startStream(url, 'Weather?');
    const whole = await streamFrames(url, stream_id);
    const [first] = whole;
    expect(await streamFrames(url, `${stream_id}?lastEventId=${first?.id}`)).toEqual(whole.slice(1));
    const done = await getStream(url, `${stream_id}?lastEventId=${whole.at(-1)?.id}`);
    expect(done.status).toBe(204);
  });

  it('replays a stream from its start after an id of another stream, its `done` included [B17]', async () => {
    const { url } = await serveDialects([[{ text: 'Hello.' }], [{ text: 'Again.' }]]);
    const first = await startStream(url, 'Hi');
    const ids = (await streamFrames(url, first.stream_id)).map(({ id }) => id);
    const { stream_id } = await startStream(url, 'More', { chat_id: first.chat_id });
    const whole = await streamFrames(url, stream_id);
    for (const id of ids) {
      expect(await streamFrames(url, stream_id, { 'last-event-id': id })).toEqual(whole);
    }
  });

  it('takes the text of an attempt back that another instance makes again [B19]', async () => {
    const { url, stream_id, clock, breakOff } = await interrupted();
    const frames: WireFrame[] = [];
    const half = gate();
    const whole = (async () => {
      for await (const frame of arrivingFrames(url, stream_id)) {
        frames.push(frame);
        if (textOf([frame.event]) === 'Two ') half.open();
      }
    })();
    await passTimeUntil(clock, half.passed);
    await breakOff();
    await passTimeUntil(clock, whole);
    const events = frames.map(({ event }) => event);
    expect(events.filter(({ type }) => type === 'reset')).toEqual([
      { type: 'reset', data: { text: 'One. ' } },
    ]);
    const textShown = (shown: readonly StreamEvent[]) =>
      shown.reduce(reduceStreamEvent, emptyStreamState).text;
    expect(textShown(events)).toBe('One. Two and three.');

    // Whoever connects now gets the text once, even a client that does not know `reset`.
    const fresh = (await streamFrames(url, stream_id)).map(({ event }) => event);
    expect(textOf(fresh)).toBe('One. Two and three.');
    expect(fresh.filter(({ type }) => type === 'reset')).toEqual([]);
    // And whoever comes back has the whole text, from whatever place.
    for (const [index, { id }] of frames.slice(0, -1).entries()) {
      const rest = (await streamFrames(url, stream_id, { 'last-event-id': id })).map(({ event }) => event);
      expect(textShown([...events.slice(0, index + 1), ...rest])).toBe('One. Two and three.');
    }
  });

  it('replays a stream for at least 5 minutes after its end [B17]', async () => {
    const clock = fakeClock();
    const { url } = await serveDialects([[{ text: 'Hello.' }]], { clock });
    const { stream_id } = await startStream(url, 'Hi');
    const whole = await streamFrames(url, stream_id);
    clock.advance(5 * 60_000);
    expect(await streamFrames(url, stream_id)).toEqual(whole);
  });

  it('sends a disconnected error with an id to resume from when the log cannot be read [B15, B17]', async () => {
    let isDown = false;
    const inner = sqliteStore({ path: ':memory:' });
    const read: typeof inner.events.read = async (...query) => {
      if (isDown) throw new Error('disk password 1234');
      return inner.events.read(...query);
    };
    const held = gate();
    const { url: running } = await serveDialects(
      [[{ text: 'One. ' }, { wait: held.passed }, { text: 'Two.' }]],
      { store: inner },
    );
    // The instance that writes a log need not read it: this is another one.
    const { url } = await serveDialects([], { store: { ...inner, events: { ...inner.events, read } } });
    const { stream_id } = await startStream(running, 'Hi');
    const seen: WireFrame[] = [];
    for await (const frame of arrivingFrames(url, stream_id)) {
      seen.push(frame);
      if (frame.event.type !== 'message_chunk') continue;
      // The stream is open, and has read the log so far.
      isDown = true;
      held.open();
    }
    expect(seen.at(-1)?.event).toEqual({
      type: 'error',
      data: { tool_call_id: null, message: 'assistant stream disconnected' },
    });
    isDown = false;
    const rest = await streamFrames(url, stream_id, { 'last-event-id': seen.at(-1)?.id ?? '' });
    expect(textOf([...seen, ...rest].map(({ event }) => event))).toBe('One. Two.');
    expect(rest.at(-1)?.event.type).toBe('done');
  });

  it('ends the stream of an erased chat with disconnected, then done [B8, B15]', async () => {
    const { url, flow } = await serveDialects([[{ text: 'One.' }, { wait: new Promise<void>(() => {}) }]]);
    const { stream_id, chat_id } = await startStream(url, 'Hi');
    const chat = { chatId: chat_id as never, principal: { id: 'ada', name: 'Ada' } };
    const types: string[] = [];
    for await (const { event } of arrivingFrames(url, stream_id)) {
      types.push(event.type);
      if (event.type === 'message_chunk') await flow.chats.erase(chat);
    }
    expect(types.at(-1)).toBe('done');
  });

  it.each([1, 2, 3, 4])(
    'sends no place before the one that the client has, if the chat is erased before query %i of the store [B15, B17]',
    async (queryNumber) => {
      const store = sqliteStore({ path: ':memory:' });
      const { url: asking, flow } = await serveDialects([[{ text: 'One.' }, weather('a')], []], { store });
      const { stream_id, chat_id } = await startStream(asking, 'Hi');
      const [first] = await streamFrames(asking, stream_id);
      let queries = 0;
      const erasing = async () => {
        queries += 1;
        if (queries !== queryNumber) return;
        await flow.chats.erase({ chatId: chat_id as never, principal: { id: 'ada', name: 'Ada' } });
      };
      const head: typeof store.chats.head = async (id) => {
        await erasing();
        return store.chats.head(id);
      };
      const read: typeof store.events.read = async (...query) => {
        await erasing();
        return store.events.read(...query);
      };
      // The instance that ran the turn has it in memory; this one has to read it.
      const { url } = await serveDialects([], {
        store: { ...store, chats: { ...store.chats, head }, events: { read } },
      });
      const response = await getStream(url, stream_id, { 'last-event-id': first?.id ?? '' });
      expect(response.status).toBe(404);
      expect(queries).toBeGreaterThanOrEqual(queryNumber);
    },
  );
});

/** A turn with two steps. Its instance loses the store in the second; the one that is given takes the run over. */
async function interrupted() {
  const clock = fakeClock();
  const store = sqliteStore({ path: ':memory:' });
  const line = cutOffStore(store);
  const settings = { clock, leaseMs: 10_000 };
  const held = gate();
  onTestFinished(held.open);
  const first: Script = [
    [{ text: 'One. ' }, weather('a')],
    [{ text: 'Two ' }, { wait: held.passed }],
  ];
  const { url, flow } = await serveDialects([[{ text: ['Two ', 'and three.'] }]], { ...settings, store });
  const lost = await serveDialects(first, { ...settings, store: line.store });
  const { stream_id } = await startStream(lost.url, 'Count');
  return {
    url,
    stream_id,
    clock,
    breakOff: async () => {
      line.cut();
      await passTime(clock, 14_000, 500);
      await flow.recover();
    },
  };
}
