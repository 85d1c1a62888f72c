import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FeedEvent } from '../../lib/client/inbox/feed/approval-feed-reader.ts';
import { readApprovalFeed } from '../../lib/client/inbox/feed/read-approval-feed.ts';
import { readToolEvents } from '../../lib/plugins/tool-events/client/conversation/read-tool-events.ts';

const delta = { type: 'text_delta', content: 'Paid Alice.' } as const;
const question = {
  id: 'question-1',
  chatId: 'chat-1',
  toolCallId: 'call-1',
  toolName: 'process_payment',
  input: { amount: 30 },
  state: 'open',
  mayAnswer: true,
};

function bodyOf(pieces: readonly string[], { ends = true } = {}) {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(encoder.encode(piece));
      if (ends) controller.close();
    },
  });
}

/** What the reader of a conversation gets from these pieces. */
async function toolEventsFrom(pieces: readonly string[]) {
  const events = [];
  for await (const event of readToolEvents(bodyOf(pieces))) events.push(event);
  return events;
}

/** The first event that the reader of the inbox gets from these pieces, and the headers of its requests. */
async function feedEventFrom(pieces: readonly string[]): Promise<FeedEvent> {
  const { promise, resolve } = Promise.withResolvers<FeedEvent>();
  const fetch = async () => new Response(bodyOf(pieces, { ends: false }));
  const leave = readApprovalFeed({ api: '/api/approvals', fetch }, { onEvent: resolve });
  return promise.finally(leave);
}

function piecesOf(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  );
}

/** Counts the characters that string searches look at while `work` runs, from the whole of each string searched. */
async function searchedBy(work: () => Promise<unknown>): Promise<number> {
  let searched = 0;
  for (const method of ['split', 'indexOf', 'slice', 'match', 'replace'] as const) {
    const original = String.prototype[method] as (this: string, ...args: unknown[]) => unknown;
    vi.spyOn(String.prototype, method).mockImplementation(function counted(this: string, ...args: unknown[]) {
      searched += this.length;
      return original.apply(this, args);
    } as never);
  }
  await work();
  vi.restoreAllMocks();
  return searched;
}

afterEach(() => {
  vi.restoreAllMocks();
});

const forms: readonly (readonly [form: string, write: (json: string, type: string) => string])[] = [
  ['lines that end with LF', (json, type) => `id: 1\nevent: ${type}\ndata: ${json}\n\n`],
  ['lines that end with CRLF', (json, type) => `id: 1\r\nevent: ${type}\r\ndata: ${json}\r\n\r\n`],
  ['lines that end with CR', (json, type) => `id: 1\revent: ${type}\rdata: ${json}\r\r:\r`],
  ['no space after the colon', (json, type) => `event:${type}\ndata:${json}\n\n`],
  [
    'data in several lines',
    (json, type) => `event: ${type}\n${json.replaceAll(',', ',\n').replace(/^/gm, 'data: ')}\n\n`,
  ],
  ['a comment before it', (json, type) => `: keep-alive\n\nevent: ${type}\ndata: ${json}\n\n`],
];

describe('a client that reads server-sent events', () => {
  it.each(forms)('reads a tool event with %s', async (_form, write) => {
    expect(await toolEventsFrom([write(JSON.stringify(delta), 'message')])).toEqual([delta]);
  });

  it.each(forms)('reads an inbox event with %s', async (_form, write) => {
    const event = await feedEventFrom([write(JSON.stringify(question), 'opened')]);
    expect(event).toMatchObject({ type: 'opened', question: { id: 'question-1' } });
  });

  it.each(forms)('reads an event with %s, one character at a time', async (_form, write) => {
    expect(await toolEventsFrom([...write(JSON.stringify(delta), 'message')])).toEqual([delta]);
    const event = await feedEventFrom([...write(JSON.stringify(question), 'opened')]);
    expect(event.question.input).toEqual({ amount: 30 });
  });

  it('searches a large event once, however many chunks it comes in', async () => {
    const long = 'x'.repeat(1_000_000);
    const toolEvent = `data: ${JSON.stringify({ ...delta, content: long })}\n\n`;
    const opened = `event: opened\ndata: ${JSON.stringify({ ...question, input: long })}\n\n`;
    const [toolPieces, feedPieces] = [piecesOf(toolEvent, 1_000), piecesOf(opened, 1_000)];

    const forToolEvents = await searchedBy(async () => {
      expect(await toolEventsFrom(toolPieces)).toHaveLength(1);
    });
    const forFeed = await searchedBy(() => feedEventFrom(feedPieces));

    expect(forToolEvents).toBeLessThan(10 * toolEvent.length);
    expect(forFeed).toBeLessThan(10 * opened.length);
  });
});

describe('the feed of the inbox', () => {
  it('takes a connection that is silent for 45 seconds for dead', async () => {
    vi.useFakeTimers();
    const listeners = new EventTarget();
    vi.stubGlobal('window', listeners);
    vi.stubGlobal('document', listeners);
    const fetch = (_url: unknown, { signal }: RequestInit = {}) =>
      new Promise<Response>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    const reported: string[] = [];
    const leave = readApprovalFeed(
      { api: '/api/approvals', fetch },
      { onConnection: (connection) => void reported.push(connection) },
    );
    await vi.advanceTimersByTimeAsync(44_999);
    expect(reported).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(reported).toEqual(['lost']);
    leave();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it('resumes after the id that an event without data gave it', async () => {
    const resumedFrom = Promise.withResolvers<string | null>();
    let connections = 0;
    const fetch = async (_url: unknown, init?: RequestInit) => {
      connections += 1;
      if (connections === 1) return new Response(bodyOf(['id: place', '-7\n', '\n']));
      resumedFrom.resolve(new Headers(init?.headers).get('last-event-id'));
      return new Response(bodyOf([], { ends: false }));
    };
    /** The network is back as soon as something waits for it. */
    class Network extends EventTarget {
      override addEventListener(...given: Parameters<EventTarget['addEventListener']>): void {
        super.addEventListener(...given);
        if (given[0] === 'online') this.dispatchEvent(new Event('online'));
      }
    }
    vi.stubGlobal('window', new Network());
    vi.stubGlobal('document', new EventTarget());
    const leave = readApprovalFeed({ api: '/api/approvals', fetch }, {});
    expect(await resumedFrom.promise).toBe('place-7');
    leave();
    vi.unstubAllGlobals();
  });
});
