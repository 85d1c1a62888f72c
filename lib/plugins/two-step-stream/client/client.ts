import type { DialectConnection } from '../../../dialects/client/dialect-client.ts';
import { randomId } from '../../../dialects/client/random-id.ts';
import { ReadingClient } from '../../../dialects/client/reading-client.ts';
import { receivedEvents, type ServerAddress } from '../../../dialects/client/server-request.ts';
import type { NewAnswerJson } from '../../../protocol/wire/new-answer.ts';
import { TwoStepError } from './error.ts';
import { readStreamEvent } from './read-message.ts';
import {
  continueStream,
  emptyStreamState,
  interruptStream,
  reduceStreamEvent,
  type StreamState,
} from './reducer.ts';
import { messageResponseSchema, type StreamEvent } from './schema.ts';

/** What `TwoStepClient` takes. */
export type TwoStepClientSettings = ServerAddress;

/** `closed`: nothing is read. `reconnecting`: the connection was lost, and the class replaces it. */
export type TwoStepConnection = DialectConnection;

/** The events of a turn as they come, from the request to `done`. */
export type TwoStepEvents = AsyncIterable<StreamEvent>;

/** A stream, and the place in it. */
type Place = { readonly streamId: string; readonly lastEventId?: string };

/**
 * A client of the two-step stream, for one chat and one turn at a time. A lost connection is replaced, and the stream is
 * resumed at its place.
 *
 * `send`, `answer` and `resume` return the events from then to `done`. Reading is optional: `state` has what they add up
 * to. The iteration throws a `TwoStepError` if the server refuses the request or stays away.
 *
 * @source B1-B10, B12-B19
 */
export class TwoStepClient extends ReadingClient<StreamState> {
  /** The state without the interruptions that are shown while there is no connection. */
  #held = emptyStreamState;
  #place: Place | undefined;
  #chatId: string | undefined;

  constructor(settings: TwoStepClientSettings) {
    super(settings, (...facts) => new TwoStepError(...facts), emptyStreamState);
  }

  /** The chat of the last message, for the next one. */
  get chatId(): string | undefined {
    return this.#chatId;
  }

  /** The stream that was read last, for `resume` after a reload. */
  get streamId(): string | undefined {
    return this.#place?.streamId;
  }

  /** Begins a turn. If the request was lost, it is sent again, and still begins one turn. */
  send(
    text: string,
    {
      chatId = this.#chatId,
      clientMessageId = randomId(),
    }: { chatId?: string; clientMessageId?: string } = {},
  ): TwoStepEvents {
    const body = { message: text, client_message_id: clientMessageId, chat_id: chatId };
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
  answer({ approvalId, ...answer }: NewAnswerJson & { readonly approvalId: string }): TwoStepEvents {
    return this.#follow(this.#held, async (signal) => {
      const path = `/api/approvals/${encodeURIComponent(approvalId)}`;
      const streamId = await this.#untilReached(signal, path, answer)
        .then(async (response) => (await response.json()).stream_id)
        .catch((error: unknown) => {
          if (error instanceof TwoStepError && error.streamId !== undefined) return error.streamId;
          throw error;
        });
      if (typeof streamId !== 'string') return undefined;
      this.change({ state: continueStream(this.#held) });
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
    await this.request(`${this.#chatPath()}/run`, { method: 'DELETE' });
  }

  /** The full result of a call: `{ toolCallId, toolName, output?, error? }`. @throws TwoStepError */
  async result(toolCallId: string): Promise<unknown> {
    const path = `${this.#chatPath()}/tool-results/${encodeURIComponent(toolCallId)}`;
    return (await this.request(path)).json();
  }

  protected override change({
    state = this.#held,
    connection = this.connection,
  }: {
    readonly state?: StreamState;
    readonly connection?: TwoStepConnection;
  }): void {
    const isRead = connection === 'open' || connection === 'connecting';
    this.#held = state;
    super.change({ connection, state: isRead ? state : interruptStream(state) });
  }

  #follow(before: StreamState, begin: (signal: AbortSignal) => Promise<Place | undefined>): TwoStepEvents {
    return this.read<StreamEvent>(before, async (signal, push) => {
      const place = await begin(signal);
      if (!place || signal.aborted) return;
      this.#place = place;
      await this.retrying(signal, () => this.#readOnce(signal, push));
    });
  }

  /** Reads on from the place. @returns whether the stream is done, or the connection brought anything new */
  async #readOnce(
    signal: AbortSignal,
    push: (event: StreamEvent) => void,
  ): Promise<'done' | 'again' | 'failed'> {
    const { streamId = '', lastEventId } = this.#place ?? {};
    const headers: Record<string, string> = {
      'accept-approvals': '1',
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    };
    const path = `/api/chat/stream/${encodeURIComponent(streamId)}`;
    const response = await this.request(path, { headers, signal });
    this.change({ connection: 'open' });
    let outcome: 'again' | 'failed' = 'failed';
    if (response.status === 204) return 'done';
    for await (const { id, event: type = 'message', data } of receivedEvents(this.server, response)) {
      if (signal.aborted) return 'done';
      const event = readStreamEvent({ type, data });
      this.#place = { streamId, lastEventId: id ?? this.#place?.lastEventId };
      if (!event) continue;
      // A server that shuts down may answer each request with its error.
      if (event.type !== 'error' || typeof event.data.tool_call_id === 'string') outcome = 'again';
      this.change({ state: reduceStreamEvent(this.#held, event) });
      push(event);
      if (event.type === 'done') return 'done';
    }
    return outcome;
  }

  /** Sends a request until the server has answered. */
  async #untilReached(signal: AbortSignal, path: string, body: object): Promise<Response> {
    let reached: Response | undefined;
    await this.retrying(signal, async () => {
      reached = await this.request(path, { method: 'POST', body, signal });
      return 'done';
    });
    if (!reached) throw new TwoStepError('connection-lost', 'The request was cancelled.');
    return reached;
  }

  #chatPath(): string {
    return `/api/chat/${encodeURIComponent(this.#chatId ?? '')}`;
  }
}
