import { WebSocket } from 'node:http';

/** A listener of a socket event. */
type Listener<Event = unknown> = ((event: Event) => void) | null;

/**
 * Node's WebSocket in the form that the SDK's transport needs. Its handshake carries headers, and an observer sees its
 * messages first.
 */
export class WatchedSocket {
  onopen: Listener = null;
  onmessage: Listener<{ data: unknown }> = null;
  onerror: Listener = null;
  onclose: Listener = null;
  readonly #socket: InstanceType<typeof WebSocket>;

  constructor(url: string | URL, headers: Readonly<Record<string, string>>, watch: (data: unknown) => void) {
    const socket = new WebSocket(url, { headers: { ...headers } });
    socket.addEventListener('open', (event) => this.onopen?.(event));
    socket.addEventListener('message', (event) => {
      watch(event.data);
      this.onmessage?.(event);
    });
    socket.addEventListener('error', (event) => this.onerror?.(event));
    socket.addEventListener('close', (event) => this.onclose?.(event));
    this.#socket = socket;
  }

  get readyState(): number {
    return this.#socket.readyState;
  }

  get bufferedAmount(): number {
    return this.#socket.bufferedAmount;
  }

  send(data: string): void {
    this.#socket.send(data);
  }

  close(code?: number, reason?: string): void {
    this.#socket.close(code, reason);
  }
}
