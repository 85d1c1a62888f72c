import { retrying } from './backoff.ts';
import { DialectClient } from './dialect-client.ts';
import type { NewDialectError } from './error.ts';
import { createEvents, type Events } from './events.ts';
import {
  connectionLost,
  type DialectServer,
  type ServerAddress,
  type ServerRequest,
  sendRequest,
} from './server-request.ts';

/** What one reading does: `push` passes an item to the caller that iterates. */
export type Follow<Item> = (signal: AbortSignal, push: (item: Item) => void) => Promise<void>;

/**
 * A client over HTTP. It reads one thing at a time, whether somebody iterates what it returns or not, over as many
 * connections as it takes.
 */
export abstract class ReadingClient<State> extends DialectClient<State> {
  protected readonly server: DialectServer;
  #reading = new AbortController();

  constructor(address: ServerAddress, newError: NewDialectError, state: State) {
    super(state);
    this.server = { ...address, newError };
  }

  /** Resolves immediately: each request opens a connection of its own. */
  async connect(): Promise<void> {}

  /** Stops reading; the run continues on the server. The client can be used again. */
  close(): void {
    this.#reading.abort();
    this.change({ connection: 'closed' });
  }

  protected request(path: string, request?: ServerRequest): Promise<Response> {
    return sendRequest(this.server, path, request);
  }

  /** Begins to read. What was read before ends. @param before the state from now on */
  protected read<Item>(before: State, follow: Follow<Item>): AsyncIterable<Item> {
    this.#reading.abort();
    const reading = new AbortController();
    const { signal } = reading;
    this.#reading = reading;
    const events: Events<Item> = createEvents();
    signal.addEventListener('abort', () => events.end());
    this.change({ state: before, connection: 'connecting' });
    const finish = (error?: unknown) => {
      if (!signal.aborted) this.change({ connection: 'closed' });
      events.end(error);
    };
    follow(signal, (item) => events.push(item)).then(() => finish(), finish);
    return events;
  }

  /** Does something until it is done, and shows in between that the connection is replaced. @throws DialectError */
  protected retrying(signal: AbortSignal, act: () => Promise<'done' | 'again' | 'failed'>): Promise<void> {
    return retrying({
      signal,
      act,
      onWait: () => this.change({ connection: 'reconnecting' }),
      lost: () => connectionLost(this.server),
    });
  }
}
