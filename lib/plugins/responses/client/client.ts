import type { DialectConnection } from '../../../dialects/client/dialect-client.ts';
import { randomId } from '../../../dialects/client/random-id.ts';
import { ReadingClient } from '../../../dialects/client/reading-client.ts';
import { receivedEvents } from '../../../dialects/client/server-request.ts';
import { isRecord, parseJson } from '../../../protocol/json.ts';
import { type ResponsesClientOptions, ResponsesError } from './error.ts';
import { emptyResponses, type ResponsesState, reduceResponseEvent } from './reducer.ts';
import type { ResponseEvent } from './schema/event-schema.ts';

/** `closed`: nothing is read. `reconnecting`: the connection was lost, and the class restores it. */
export type ResponsesConnection = DialectConnection;

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
export class ResponsesClient extends ReadingClient<ResponsesState> {
  readonly #model: string | undefined;

  constructor({ model, ...address }: ResponsesClientOptions) {
    super(address, (...facts) => new ResponsesError(...facts), emptyResponses);
    this.#model = model;
  }

  /** Begins a turn. Reading throws `ResponsesError`. @param fields further fields of the request, such as `tools` */
  send(text: string, fields: object = {}): AsyncIterable<ResponseEvent> {
    const { responseId } = this.state;
    return this.#request({ ...fields, input: text }, { ...emptyResponses, responseId });
  }

  /** Answers the request for approval with this id, and continues the turn. Reading throws `ResponsesError`. */
  answer(answer: {
    readonly approvalId: string;
    readonly approved: boolean;
    readonly reason?: string;
  }): AsyncIterable<ResponseEvent> {
    const { approvalId: approval_request_id, approved: approve, reason } = answer;
    const item = { type: 'mcp_approval_response', approval_request_id, approve, reason: reason || undefined };
    return this.#request({ input: [item] }, this.state);
  }

  /** Gives the output of a function that the client has executed, and continues the turn. */
  sendOutput(callId: string, output: string): AsyncIterable<ResponseEvent> {
    const item = { type: 'function_call_output', call_id: callId, output };
    return this.#request({ input: [item] }, this.state);
  }

  /** Reads a response from its start, and follows it. Default: the last one. */
  resume(responseId = this.state.responseId): AsyncIterable<ResponseEvent> {
    return this.#read(undefined, responseId, emptyResponses);
  }

  /** Stops the response that is running. @throws ResponsesError */
  async cancel(): Promise<void> {
    const { responseId } = this.state;
    if (responseId === undefined) return;
    await this.request(`${pathOf(responseId)}/cancel`, { method: 'POST' });
  }

  #request(body: object, before: ResponsesState): AsyncIterable<ResponseEvent> {
    const { responseId } = this.state;
    const fields = {
      model: this.#model || undefined,
      previous_response_id: responseId,
    };
    return this.#read({ ...fields, ...body, stream: true }, undefined, before);
  }

  #read(body: object | undefined, responseId: string | undefined, before: ResponsesState) {
    return this.read<ResponseEvent>(before, async (signal, push) => {
      const reading: Reading = { signal, body, responseId, last: -1 };
      const key = randomId();
      await this.retrying(signal, async () => {
        const { last } = reading;
        if (await this.#readOnce(reading, key, push)) return 'done';
        return reading.last > last ? 'again' : 'failed';
      });
    });
  }

  /** @returns true if the response has ended */
  async #readOnce(reading: Reading, key: string, push: (event: ResponseEvent) => void): Promise<boolean> {
    const { signal, body, responseId = '', last } = reading;
    const place = last < 0 ? '' : `&starting_after=${last}`;
    const response =
      reading.responseId === undefined
        ? await this.request('/v1/responses', {
            method: 'POST',
            body,
            headers: { 'idempotency-key': key },
            signal,
          })
        : await this.request(`${pathOf(responseId)}?stream=true${place}`, { signal });
    this.change({ connection: 'open' });
    for await (const { data } of receivedEvents(this.server, response)) {
      if (signal.aborted) return true;
      const event = parseJson(data);
      if (!isEvent(event) || event.sequence_number <= reading.last) continue;
      reading.last = event.sequence_number;
      if (event.type === 'response.created') reading.responseId = event.response.id;
      this.change({ state: reduceResponseEvent(this.state, event) });
      push(event);
      if (/^response[.](completed|incomplete|failed)$/.test(event.type)) return true;
    }
    return false;
  }
}

function pathOf(responseId: string): string {
  return `/v1/responses/${encodeURIComponent(responseId)}`;
}

function isEvent(value: unknown): value is ResponseEvent {
  return isRecord(value) && typeof value.type === 'string';
}
