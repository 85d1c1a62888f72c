import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai';
import { collect, faultyFetch, faultyTransport, type LineFault } from 'countersign/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serve } from '../../../lib/testing/server/serve.ts';
import { streamOf } from '../../../lib/testing/stream-of.ts';

type Way = {
  readonly name: string;
  /** Opens a line with faults by the number of the request. */
  readonly open: (faults: Readonly<Record<number, LineFault>>) => Promise<Line>;
};
type Line = {
  /** Makes a request with this body; gives the pieces of its response. */
  send(body: string): Promise<string[]>;
  /** What arrived on the other side, in order. */
  readonly arrived: readonly string[];
};

const pieces = ['one', 'two', 'three'];

const ways: readonly Way[] = [
  {
    name: 'faultyTransport',
    async open(faults) {
      const arrived: string[] = [];
      const transport: ChatTransport<UIMessage> = {
        async sendMessages({ chatId }) {
          arrived.push(chatId);
          return streamOf(pieces.map((id): UIMessageChunk => ({ type: 'text-start', id })));
        },
        reconnectToStream: async () => null,
      };
      const faulty = faultyTransport(transport, faults);
      return {
        arrived,
        async send(chatId) {
          const request = { chatId, messages: [], messageId: undefined, abortSignal: undefined };
          const stream = await faulty.sendMessages({ trigger: 'submit-message', ...request });
          return (await collect(stream)).map((chunk) => ('id' in chunk ? String(chunk.id) : ''));
        },
      };
    },
  },
  {
    name: 'faultyFetch',
    async open(faults) {
      const arrived: string[] = [];
      const served = await serve({
        async fetch(request) {
          arrived.push(await request.text());
          return new Response(streamOf(pieces).pipeThrough(new TextEncoderStream()));
        },
      });
      onTestFinished(() => served.close());
      const fetch = faultyFetch(faults);
      return {
        arrived,
        async send(body) {
          const response = await fetch(served.url, { method: 'POST', body });
          const text = await response.text();
          return pieces.filter((piece) => text.includes(piece));
        },
      };
    },
  },
];

describe.each(ways)('$name', ({ open }) => {
  it('passes messages without a fault', async () => {
    const { send, arrived } = await open({});
    expect(await send('a')).toEqual(pieces);
    expect(arrived).toEqual(['a']);
  });

  it('loses a request: nothing arrives, but the next one does', async () => {
    const { send, arrived } = await open({ 0: { type: 'lose-request' } });
    await expect(send('a')).rejects.toThrow('The connection broke');
    expect(await send('b')).toEqual(pieces);
    expect(arrived).toEqual(['b']);
  });

  it('loses a response: the request arrives, and its client gets a broken connection', async () => {
    const { send, arrived } = await open({ 0: { type: 'lose-response' } });
    await expect(send('a')).rejects.toThrow();
    expect(arrived).toEqual(['a']);
  });

  it('duplicates a request, whose client gets one response', async () => {
    const { send, arrived } = await open({ 0: { type: 'duplicate' } });
    expect(await send('a')).toEqual(pieces);
    await expect.poll(() => arrived, { interval: 5 }).toEqual(['a', 'a']);
  });

  it('delays a request until it is released', async () => {
    const gate = Promise.withResolvers<void>();
    const { send, arrived } = await open({ 0: { type: 'delay', until: gate.promise } });
    const slow = send('a');
    await send('b');
    expect(arrived).toEqual(['b']);
    gate.resolve();
    expect(await slow).toEqual(pieces);
    expect(arrived).toEqual(['b', 'a']);
  });

  it('lets the next request overtake one', async () => {
    const { send, arrived } = await open({ 0: { type: 'overtaken' } });
    const [first, second] = await Promise.all([send('a'), send('b')]);
    expect([first, second]).toEqual([pieces, pieces]);
    expect(arrived).toEqual(['b', 'a']);
  });
});

describe('faultyTransport', () => {
  it('cuts a response after a number of chunks, and keeps the transport’s other methods', async () => {
    const transport: ChatTransport<UIMessage> & { cancelled: string; cancel(chatId: string): void } = {
      cancelled: '',
      sendMessages: async () => streamOf(pieces.map((id): UIMessageChunk => ({ type: 'text-start', id }))),
      reconnectToStream: async () => null,
      cancel(chatId: string) {
        this.cancelled = chatId;
      },
    };
    const faulty = faultyTransport(transport, () => ({ type: 'lose-response', after: 2 }));
    const seen: UIMessageChunk[] = [];
    const request = { chatId: 'c', messages: [], messageId: undefined, abortSignal: undefined };
    const stream = await faulty.sendMessages({ trigger: 'submit-message', ...request });
    const reading = (async () => {
      for await (const chunk of stream) seen.push(chunk);
    })();
    await expect(reading).rejects.toThrow(TypeError);
    expect(seen).toHaveLength(2);
    faulty.cancel('chat');
    expect(transport.cancelled).toBe('chat');
  });
});
