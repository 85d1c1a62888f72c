import type { DecisionJson } from '../../../protocol/wire/decision.ts';
import {
  continueStream,
  emptyStreamState,
  interruptStream,
  reduceStreamEvent,
  type StreamState,
} from '../reducer.ts';
import { type LegacyStreamEvent, messageResponseSchema, type StreamEvent } from '../schema.ts';
import { createEvents } from './events.ts';
import { randomMessageId } from './message-id.ts';
import { readStream, retrying } from './reading.ts';
import { type ServerAddress, sendRequest, TwoStepError } from './request.ts';

/** What `TwoStepClient` takes. */
export type TwoStepClientSettings = ServerAddress;

/** `closed`: nothing is read. `reconnecting`: the connection was lost, and the class replaces it. */
export type TwoStepConnection = 'connecting' | 'open' | 'reconnecting' | 'closed';

/** The events of a turn as they come, from the request to `done`. */
export type TwoStepEvents = AsyncIterable<StreamEvent | LegacyStreamEvent>;

/** A stream, and the place in it. */
type Place = { readonly streamId: string; readonly lastEventId?: string };

/**
 * A client of the two-step stream, for one chat and one turn at a time. A lost connection is replaced, and the stream is
 * resumed at its place.
 *
 * `send`, `answer` and `resume` return the events from then to `done`. Reading is optional: `state` has what they add up
 * to. The iteration throws a `TwoStepError` if the server refuses the request or stays away.
 *
 * @source B1-B19
 */
export class TwoStepClient {
  readonly #server: ServerAddress;
  readonly #listeners = new Set<() => void>();
  #reading = new AbortController();
  #held = emptyStreamState;
  #state = emptyStreamState;
  #connection: TwoStepConnection = 'closed';
  #place: Place | undefined;
  #chatId: string | undefined;

  constructor(settings: TwoStepClientSettings) {
    this.#server = settings;
  }

  /** The turn so far. Pending calls are interrupted while there is no connection. */
  get state(): StreamState {
    return this.#state;
  }

  get connection(): TwoStepConnection {
    return this.#connection;
  }

  /** The chat of the last message, for the next one. */
  get chatId(): string | undefined {
    return this.#chatId;
  }

  /** The stream that was read last, for `resume` after a reload. */
  get streamId(): string | undefined {
    return this.#place?.streamId;
  }

  /** Calls back after each change of `state` and `connection`. @returns ends that */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves immediately: each request opens a connection of its own. */
  async connect(): Promise<void> {}

  /** Begins a turn. If the request was lost, it is sent again, and still begins one turn. */
  send(
    text: string,
    {
      chatId = this.#chatId,
      clientMessageId = randomMessageId(),
    }: { chatId?: string; clientMessageId?: string } = {},
  ): TwoStepEvents {
    const message = { message: text, client_message_id: clientMessageId };
    const body = { ...message, ...(chatId !== undefined && { chat_id: chatId }) };
    return this.#follow(emptyStreamState, async (signal) => {
      const response = await this.#untilReached(signal, '/api/chat/message', body);
      const started = messageResponseSchema.parse(await response.json());
      this.#chatId = started.chat_id;
      return { streamId: started.stream_id };
    });
  }

  /**
   * Answers a question, and continues the turn. If the request is lost, it is sent again, and still counts once. If there
   * are no events, the question waits for further people. If the call has changed, nothing has run, and the events ask again.
   */
  answer({ approvalId, ...decision }: DecisionJson & { readonly approvalId: string }): TwoStepEvents {
    return this.#follow(this.#held, async (signal) => {
      const path = `/api/approvals/${encodeURIComponent(approvalId)}`;
      const streamId = await this.#untilReached(signal, path, decision)
        .then(async (response) => (await response.json()).stream_id)
        .catch((error: unknown) => {
          if (error instanceof TwoStepError && error.streamId !== undefined) return error.streamId;
          throw error;
        });
      if (typeof streamId !== 'string') return undefined;
      this.#change({ held: continueStream(this.#held) });
      return { streamId };
    });
  }

  /** Reads a stream: the last one of this client from its place, and another one from its start. */
  resume({ streamId, chatId }: { streamId?: string; chatId?: string } = {}): TwoStepEvents {
    const place = streamId === undefined || streamId === this.#place?.streamId ? this.#place : { streamId };
    this.#chatId = chatId ?? this.#chatId;
    return this.#follow(place === this.#place ? this.#held : emptyStreamState, async () => place);
  }

  /** Stops the run of the chat, or withdraws its open question. @throws TwoStepError */
  async stop(): Promise<void> {
    if (this.#chatId === undefined) return;
    await sendRequest(this.#server, `${this.#chatPath()}/run`, { method: 'DELETE' });
  }

  /** The full result of a call: `{ toolCallId, toolName, output?, error? }`. @throws TwoStepError */
  async result(toolCallId: string): Promise<unknown> {
    const path = `${this.#chatPath()}/tool-results/${encodeURIComponent(toolCallId)}`;
    return (await sendRequest(this.#server, path)).json();
  }

  /** Stops reading; the run continues on the server. The client can be used again. */
  close(): void {
    this.#reading.abort();
    this.#change({ connection: 'closed' });
  }

  /** Reads one thing at a time: what was read before ends. */
  #follow(before: StreamState, begin: (signal: AbortSignal) => Promise<Place | undefined>): TwoStepEvents {
    this.#reading.abort();
    const reading = new AbortController();
    this.#reading = reading;
    const { signal } = reading;
    const events = createEvents<StreamEvent | LegacyStreamEvent>();
    signal.addEventListener('abort', () => events.end());
    this.#change({ held: before, connection: 'connecting' });

    const read = async () => {
      const place = await begin(signal);
      if (!place || signal.aborted) return;
      this.#place = place;
      await readStream({
        ...place,
        server: this.#server,
        signal,
        onConnection: (connection) => this.#change({ connection }),
        onEvent: (event, id) => {
          this.#place = { ...this.#place, ...place, ...(id !== undefined && { lastEventId: id }) };
          this.#change({ held: reduceStreamEvent(this.#held, event) });
          events.push(event);
        },
      });
    };
    const finish = (error?: unknown) => {
      if (!signal.aborted) this.#change({ connection: 'closed' });
      events.end(error);
    };
    read().then(() => finish(), finish);
    return events;
  }

  async #untilReached(signal: AbortSignal, path: string, body: object): Promise<Response> {
    let reached: Response | undefined;
    const send = async () => {
      reached = await sendRequest(this.#server, path, { method: 'POST', body, signal });
      return 'done' as const;
    };
    await retrying(signal, send, () => this.#change({ connection: 'reconnecting' }));
    if (!reached) throw new TwoStepError('connection-lost', 'The request was cancelled.');
    return reached;
  }

  #chatPath(): string {
    return `/api/chat/${encodeURIComponent(this.#chatId ?? '')}`;
  }

  #change({
    held = this.#held,
    connection = this.#connection,
  }: {
    held?: StreamState;
    connection?: TwoStepConnection;
  }): void {
    const isRead = connection === 'open' || connection === 'connecting';
    this.#held = held;
    this.#connection = connection;
    this.#state = isRead ? held : interruptStream(held);
    for (const listener of this.#listeners) listener();
  }
}
