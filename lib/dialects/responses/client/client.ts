import { emptyResponses, type ResponsesState, reduceResponseEvent } from '../reducer.ts';
import type { ResponseEvent } from '../schema/event-schema.ts';
import { eventsOf, type ResponsesClientOptions, ResponsesError, sendToApi } from './request.ts';

/** `closed`: nothing is read. `reconnecting`: the connection was lost, and the class restores it. */
export type ResponsesConnection = 'connecting' | 'open' | 'reconnecting' | 'closed';

/** Waits before the attempts to restore a connection, in milliseconds. Each new event begins them again. */
const backoffMs = [250, 500, 1_000, 2_000, 4_000, 8_000];

/** What one reading knows: what to send first, and how far it has read. */
type Reading = { readonly signal: AbortSignal; readonly body?: object; responseId?: string; last: number };

/**
 * A client of the Responses gateway without a framework, for one conversation and one response at a time. Events are read
 * whether the returned iterable is read or not. A lost stream is continued after its last event; a request that was lost
 * is sent again under the same key, and starts one turn only.
 *
 * @example for await (const event of client.send('Hello')) console.log(event.type);
 * @source C12, C17, C18, ADR 0014
 */
export class ResponsesClient {
  readonly #options: ResponsesClientOptions;
  readonly #listeners = new Set<() => void>();
  #reading = new AbortController();
  #state = emptyResponses;
  #connection: ResponsesConnection = 'closed';

  constructor(options: ResponsesClientOptions) {
    this.#options = options;
  }

  /** The turn so far. Replaced, never changed. */
  get state(): ResponsesState {
    return this.#state;
  }

  get connection(): ResponsesConnection {
    return this.#connection;
  }

  /** Calls back after each change of `state` and `connection`. @returns ends this */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves immediately: each request opens a connection of its own. */
  async connect(): Promise<void> {}

  /** Begins a turn. Reading throws `ResponsesError`. @param fields further fields of the request, such as `tools` */
  send(text: string, fields: object = {}): AsyncIterable<ResponseEvent> {
    const { responseId } = this.#state;
    return this.#request({ ...fields, input: text }, { ...emptyResponses, responseId });
  }

  /** Answers the request for approval with this id, and continues the turn. Reading throws `ResponsesError`. */
  answer(answer: {
    readonly approvalId: string;
    readonly approved: boolean;
    readonly reason?: string;
  }): AsyncIterable<ResponseEvent> {
    const { approvalId: approval_request_id, approved: approve, reason } = answer;
    const item = { type: 'mcp_approval_response', approval_request_id, approve, ...(reason && { reason }) };
    return this.#request({ input: [item] }, this.#state);
  }

  /** Gives the output of a function that the client has executed, and continues the turn. */
  sendOutput(callId: string, output: string): AsyncIterable<ResponseEvent> {
    const item = { type: 'function_call_output', call_id: callId, output };
    return this.#request({ input: [item] }, this.#state);
  }

  /** Reads a response from its start, and follows it. Default: the last one. */
  resume(responseId = this.#state.responseId): AsyncIterable<ResponseEvent> {
    return this.#read(undefined, responseId, emptyResponses);
  }

  /** Stops the response that is running. @throws ResponsesError */
  async cancel(): Promise<void> {
    const { responseId } = this.#state;
    if (responseId === undefined) return;
    await sendToApi(this.#options, `/responses/${encodeURIComponent(responseId)}/cancel`, { method: 'POST' });
  }

  /** Stops reading; the run continues on the server. The client can be used again. */
  close(): void {
    this.#reading.abort();
    this.#change('closed');
  }

  #request(body: object, before: ResponsesState): AsyncIterable<ResponseEvent> {
    const { model } = this.#options;
    const { responseId } = this.#state;
    const fields = { ...(model && { model }), ...(responseId && { previous_response_id: responseId }) };
    return this.#read({ ...fields, ...body, stream: true }, undefined, before);
  }

  /** Reads one response at a time: what was read before ends. */
  #read(body: object | undefined, responseId: string | undefined, before: ResponsesState) {
    this.#reading.abort();
    const reading = new AbortController();
    const { signal } = reading;
    this.#reading = reading;
    this.#change('connecting', before);
    const events = new ReadableStream<ResponseEvent>({
      start: (out) => {
        const leave = () => out.close();
        signal.addEventListener('abort', leave);
        const end = (finish: () => void) => {
          if (signal.aborted) return;
          signal.removeEventListener('abort', leave);
          this.#change('closed');
          finish();
        };
        this.#follow({ signal, body, responseId, last: -1 }, (event) => out.enqueue(event)).then(
          () => end(() => out.close()),
          (error: unknown) => end(() => out.error(error)),
        );
      },
    });
    return iterate(events);
  }

  async #follow(reading: Reading, take: (event: ResponseEvent) => void): Promise<void> {
    const key = crypto.randomUUID();
    for (let attempt = 0; ; attempt += 1) {
      const { last } = reading;
      try {
        if (await this.#readOnce(reading, key, take)) return;
      } catch (error) {
        const isRefusal = error instanceof ResponsesError && error.status < 500;
        if (isRefusal || reading.signal.aborted) throw error;
      }
      if (reading.signal.aborted) return;
      if (reading.last > last) attempt = 0;
      const wait = backoffMs[attempt];
      if (wait === undefined) throw new ResponsesError('connection-lost', 'The server cannot be reached.');
      this.#change('reconnecting');
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  /** @returns true if the response has ended */
  async #readOnce(reading: Reading, key: string, take: (event: ResponseEvent) => void): Promise<boolean> {
    const { signal, body, responseId, last } = reading;
    const place = `/responses/${encodeURIComponent(responseId ?? '')}?stream=true&starting_after=${last}`;
    const response =
      responseId === undefined
        ? await sendToApi(this.#options, '/responses', { method: 'POST', body, key, signal })
        : await sendToApi(this.#options, last < 0 ? place.replace(/&.*/, '') : place, { signal });
    this.#change('open');
    for await (const event of eventsOf(response)) {
      if (signal.aborted) return true;
      if (event.sequence_number <= reading.last) continue;
      reading.last = event.sequence_number;
      if (event.type === 'response.created') reading.responseId = event.response.id;
      this.#change('open', reduceResponseEvent(this.#state, event));
      take(event);
      if (/^response[.](completed|incomplete|failed)$/.test(event.type)) return true;
    }
    return false;
  }

  #change(connection: ResponsesConnection, state = this.#state): void {
    this.#connection = connection;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** Some browsers cannot iterate a stream. Leaving the loop does not end the reading. */
async function* iterate<Item>(stream: ReadableStream<Item>): AsyncGenerator<Item, void, void> {
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}
