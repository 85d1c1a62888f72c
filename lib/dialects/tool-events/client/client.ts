import { pause } from '../../../client/pause.ts';
import { withToolOutput } from '../reducer.ts';
import type { ToolEvent } from '../schema.ts';
import { accepted, framesOf, iterate, ToolEventsError } from './request.ts';
import { emptyToolEventsClientState, reduceToolEventsClient, type ToolEventsClientState } from './state.ts';

/** Where the server is, and who asks. */
export type ToolEventsClientOptions = {
  /** The server's base address, such as `https://example.com`. */
  readonly url: string;
  /** For bearer keys. A function is called for each request. */
  readonly headers?:
    | Readonly<Record<string, string>>
    | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch;
};

type Decision = { readonly approved: boolean; readonly reason?: string; readonly input?: unknown };
type Open = (signal: AbortSignal) => Promise<Response>;

/** Waits before the attempts to resume a lost stream, in milliseconds. Each new frame begins them again. */
const backoffMs = [250, 500, 1_000, 2_000, 4_000, 8_000];

/**
 * A client of the tool events, without a framework: one conversation, and one stream at a time. Frames are read as soon as
 * they arrive, whether the returned iterable is read or not. A lost stream is resumed; if it begins again, `message_start`
 * comes again, with the same `messageId`.
 *
 * @example for await (const frame of client.send('Hello')) console.log(frame.type, client.state.content);
 * @source A1-A26
 */
export class ToolEventsClient {
  readonly #options: ToolEventsClientOptions;
  readonly #listeners = new Set<() => void>();
  #state = emptyToolEventsClientState;
  #connection: 'connecting' | 'open' | 'reconnecting' | 'closed' = 'closed';
  #reading = new AbortController();

  constructor(options: ToolEventsClientOptions) {
    this.#options = options;
  }

  /** The last message so far. Replaced, never changed. */
  get state(): ToolEventsClientState {
    return this.#state;
  }

  /** The state of the stream. `closed`: none is read. */
  get connection(): 'connecting' | 'open' | 'reconnecting' | 'closed' {
    return this.#connection;
  }

  /** Calls back after each change of `state` and `connection`. @returns ends this */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Over HTTP, each request opens its own connection: there is nothing to wait for. */
  async connect(): Promise<void> {}

  /** Sends a message, which begins a conversation or continues it. Reading throws `ToolEventsError`. @source A1, A26 */
  send(message: string): AsyncIterable<ToolEvent> {
    const { conversationId } = this.#state;
    return this.#read((signal) => this.#post('', { message, conversationId }, signal));
  }

  /** Makes a failed call of the last message again; its message begins again. Reading throws `ToolEventsError`. @source A11 */
  retry(toolCallId: string): AsyncIterable<ToolEvent> {
    const { conversationId } = this.#state;
    return this.#read((signal) => this.#post('/retry', { conversationId, toolCallId }, signal));
  }

  /**
   * Answers a question. What follows comes through the stream that is being read; without one, call `resume`.
   *
   * @throws ToolEventsError `already-answered` if another answer was first
   * @source A25, H10
   */
  async answer({ approvalId, ...decision }: Decision & { readonly approvalId: string }): Promise<void> {
    const path = `/api/approvals/${encodeURIComponent(approvalId)}`;
    await accepted(await this.#request(path, { method: 'POST', body: JSON.stringify(decision) }));
  }

  /** Reads the last message of a conversation from its start. Default: the conversation of this client. @source A22 */
  resume(conversationId = this.#state.conversationId): AsyncIterable<ToolEvent> {
    if (conversationId !== this.#state.conversationId) {
      this.#state = { ...emptyToolEventsClientState, conversationId };
    }
    return this.#read(undefined);
  }

  /**
   * Reads an output that was sent by reference, and keeps it in `state.invocations`.
   *
   * @param outputRef of the invocation, or of `tool_call_end`
   * @throws ToolEventsError `not-found`
   * @source A6
   */
  async readOutput(toolCallId: string, outputRef: string): Promise<unknown> {
    const response = await accepted(await this.#request(`/api/dialects/tool-events/${outputRef}`, {}));
    const { output } = await response.json();
    const invocations = withToolOutput(this.#state.invocations, toolCallId, output);
    this.#change(this.#connection, { ...this.#state, invocations });
    return output;
  }

  /** Stops reading. The run continues on the server. The client can be used again. */
  close(): void {
    this.#reading.abort();
    this.#change('closed');
  }

  /** @param open makes the first request. Default: replays the last message */
  #read(open: Open | undefined): AsyncIterable<ToolEvent> {
    this.#reading.abort();
    const reading = new AbortController();
    const { signal } = reading;
    this.#reading = reading;
    this.#change('connecting', { ...this.#state, isRunning: true, failure: undefined });
    const frames = new ReadableStream<ToolEvent>({
      start: (out) => {
        const end = (finish: () => void) => {
          if (signal.aborted) return;
          signal.removeEventListener('abort', leave);
          this.#change('closed', { ...this.#state, isRunning: false });
          finish();
        };
        const leave = () => out.close();
        signal.addEventListener('abort', leave);
        this.#follow(open, signal, (frame) => out.enqueue(frame)).then(
          () => end(() => out.close()),
          (error) => end(() => out.error(error)),
        );
      },
    });
    return iterate(frames);
  }

  async #follow(
    open: Open | undefined,
    signal: AbortSignal,
    take: (frame: ToolEvent) => void,
  ): Promise<void> {
    let lastId: string | undefined;
    // What was sent may have arrived: sending it again could do it twice.
    let mayRepeat = open === undefined;
    let request = open ?? ((until) => this.#replay(lastId, until));
    for (let attempt = 0; ; attempt += 1) {
      try {
        const response = await accepted(await request(signal));
        if (response.status === 204) return;
        this.#change('open');
        for await (const { id, frame } of framesOf(response)) {
          if (signal.aborted) return;
          // The connection ends, not the message.
          if (frame.type === 'error' && frame.code === 'INTERNAL_ERROR' && frame.retryable) break;
          lastId = id ?? lastId;
          mayRepeat = true;
          attempt = 0;
          this.#change('open', reduceToolEventsClient(this.#state, frame));
          take(frame);
          if (frame.type === 'message_end' || frame.type === 'error') return;
        }
      } catch (error) {
        const isRefusal = error instanceof ToolEventsError;
        if (isRefusal && (!mayRepeat || error.status < 500)) throw error;
      }
      if (signal.aborted) return;
      const waitMs = backoffMs[attempt];
      if (waitMs === undefined || !mayRepeat) throw lost();
      this.#change('reconnecting');
      await pause(waitMs, signal);
      request = (until) => this.#replay(lastId, until);
    }
  }

  #replay(lastId: string | undefined, signal: AbortSignal): Promise<Response> {
    const query = `conversationId=${encodeURIComponent(this.#state.conversationId ?? '')}`;
    const headers: Record<string, string> = lastId === undefined ? {} : { 'last-event-id': lastId };
    return this.#request(`/api/dialects/tool-events/stream?${query}`, { headers, signal });
  }

  #post(path: string, body: object, signal: AbortSignal): Promise<Response> {
    const headers = { 'accept-approvals': '1' };
    const init = { method: 'POST', headers, body: JSON.stringify(body), signal };
    return this.#request(`/api/dialects/tool-events${path}`, init);
  }

  async #request(path: string, init: RequestInit): Promise<Response> {
    const { url, headers = {}, fetch = globalThis.fetch } = this.#options;
    const own = typeof headers === 'function' ? await headers() : headers;
    const all = { 'content-type': 'application/json', ...own, ...init.headers };
    return fetch(url.replace(/\/$/, '') + path, { ...init, headers: all });
  }

  #change(connection: typeof this.connection, state = this.#state): void {
    this.#connection = connection;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

function lost(): ToolEventsError {
  return new ToolEventsError('connection-lost', 'Connection lost. The run continues on the server.', 0);
}
