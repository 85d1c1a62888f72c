import { ReadingClient } from '../../../dialects/client/reading-client.ts';
import {
  connectionLost,
  receivedEvents,
  type ServerAddress,
} from '../../../dialects/client/server-request.ts';
import { ToolEventsError } from './error.ts';
import { readToolEvent } from './read-message.ts';
import { withToolOutput } from './reducer.ts';
import type { ToolEvent } from './schema.ts';
import { emptyToolEventsClientState, reduceToolEventsClient, type ToolEventsClientState } from './state.ts';

/** Where the server is, and who asks. */
export type ToolEventsClientOptions = ServerAddress;

type NewAnswer = { readonly approved: boolean; readonly reason?: string; readonly input?: unknown };
type Open = (signal: AbortSignal) => Promise<Response>;

const path = '/api/dialects/tool-events';

/**
 * A client of the tool events, without a framework: one conversation, and one stream at a time. Frames are read as soon as
 * they arrive, whether the returned iterable is read or not. A lost stream is resumed; if it begins again, `message_start`
 * comes again, with the same `messageId`.
 *
 * @example for await (const frame of client.send('Hello')) console.log(frame.type, client.state.content);
 * @source A1-A26
 */
export class ToolEventsClient extends ReadingClient<ToolEventsClientState> {
  constructor(options: ToolEventsClientOptions) {
    super(options, (...facts) => new ToolEventsError(...facts), emptyToolEventsClientState);
  }

  /** Sends a message, which begins a conversation or continues it. Reading throws `ToolEventsError`. @source A1, A26 */
  send(message: string): AsyncIterable<ToolEvent> {
    const { conversationId } = this.state;
    return this.#read((signal) => this.#post(path, { message, conversationId }, signal));
  }

  /** Makes a failed call of the last message again; its message begins again. Reading throws `ToolEventsError`. @source A11 */
  retry(toolCallId: string): AsyncIterable<ToolEvent> {
    const { conversationId } = this.state;
    return this.#read((signal) => this.#post(`${path}/retry`, { conversationId, toolCallId }, signal));
  }

  /**
   * Answers a question. What follows comes through the stream that is being read; without one, call `resume`.
   *
   * @throws ToolEventsError `already-answered` if another answer was first
   * @source A25, H10
   */
  async answer({ approvalId, ...answer }: NewAnswer & { readonly approvalId: string }): Promise<void> {
    await this.request(`/api/approvals/${encodeURIComponent(approvalId)}`, {
      method: 'POST',
      body: answer,
    });
  }

  /** Reads the last message of a conversation from its start. Default: the conversation of this client. @source A22 */
  resume(conversationId = this.state.conversationId): AsyncIterable<ToolEvent> {
    const isOther = conversationId !== this.state.conversationId;
    return this.#read(undefined, isOther ? { ...emptyToolEventsClientState, conversationId } : this.state);
  }

  /**
   * Reads an output that was sent by reference, and keeps it in `state.invocations`.
   *
   * @param outputRef of the invocation, or of `tool_call_end`
   * @throws ToolEventsError `not-found`
   * @source A6
   */
  async readOutput(toolCallId: string, outputRef: string): Promise<unknown> {
    const { output } = await (await this.request(`${path}/${outputRef}`)).json();
    const invocations = withToolOutput(this.state.invocations, toolCallId, output);
    this.change({ state: { ...this.state, invocations } });
    return output;
  }

  /** @param open makes the first request. Default: replays the last message */
  #read(open?: Open, before = this.state): AsyncIterable<ToolEvent> {
    return this.read<ToolEvent>({ ...before, isRunning: true, failure: undefined }, async (signal, push) => {
      try {
        await this.#follow(open, signal, push);
      } finally {
        if (!signal.aborted) this.change({ state: { ...this.state, isRunning: false } });
      }
    });
  }

  async #follow(
    open: Open | undefined,
    signal: AbortSignal,
    push: (frame: ToolEvent) => void,
  ): Promise<void> {
    let lastId: string | undefined;
    let hasFrames = false;

    const readOnce = async (response: Response) => {
      if (response.status === 204) return 'done';
      this.change({ connection: 'open' });
      let outcome: 'again' | 'failed' = 'failed';
      for await (const { id, data } of receivedEvents(this.server, response)) {
        if (signal.aborted) return 'done';
        const frame = readToolEvent(data);
        if (!frame) continue;
        // The connection ends, not the message.
        if (frame.type === 'error' && frame.code === 'INTERNAL_ERROR' && frame.retryable) break;
        lastId = id ?? lastId;
        hasFrames = true;
        outcome = 'again';
        this.change({ state: reduceToolEventsClient(this.state, frame) });
        push(frame);
        if (frame.type === 'message_end' || frame.type === 'error') return 'done';
      }
      return outcome;
    };

    if (open) {
      const outcome = await readOnce(await open(signal)).catch((error: unknown) => {
        if (!hasFrames) throw error;
      });
      if (outcome === 'done' || signal.aborted) return;
      // What was sent may have arrived: sending it again could do it twice.
      if (!hasFrames) throw connectionLost(this.server);
      this.change({ connection: 'reconnecting' });
    }
    await this.retrying(signal, async () => readOnce(await this.#replay(lastId, signal)));
  }

  #replay(lastId: string | undefined, signal: AbortSignal): Promise<Response> {
    const query = `conversationId=${encodeURIComponent(this.state.conversationId ?? '')}`;
    const headers: Record<string, string> = lastId === undefined ? {} : { 'last-event-id': lastId };
    return this.request(`${path}/stream?${query}`, { headers, signal });
  }

  #post(to: string, body: object, signal: AbortSignal): Promise<Response> {
    const headers = { 'accept-approvals': '1' };
    return this.request(to, { method: 'POST', headers, body, signal });
  }
}
