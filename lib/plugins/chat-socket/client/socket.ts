import { waitAfter } from '../../../dialects/client/backoff.ts';
import type { DialectConnection } from '../../../dialects/client/dialect-client.ts';

/** What this client uses of a WebSocket. */
export type ClientSocket = {
  send(text: string): void;
  close(): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
};

/** The browser's WebSocket, or a class like that of `ws`, which takes headers. */
export type ClientSocketClass = new (
  url: string,
  protocols?: string | string[],
  options?: { readonly headers?: Readonly<Record<string, string>> },
) => ClientSocket;

/** `connecting` until the first connection is open; `reconnecting` while a lost one is replaced. */
export type SocketConnection = DialectConnection;

/** One connection at a time. A lost one is replaced while it is needed, until all attempts have failed. */
export function createReconnectingSocket(settings: {
  readonly open: () => Promise<ClientSocket>;
  readonly isNeeded: () => boolean;
  readonly onText: (text: string) => void;
  readonly onConnection: (connection: SocketConnection) => void;
  /** A new connection replaced a lost one. */
  readonly onReconnected: () => void;
  /** All attempts have failed, or the connection was lost while nothing needed it. */
  readonly onLost: () => void;
}) {
  let socket: ClientSocket | undefined;
  let opening: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Failed attempts since the last frame. */
  let failed = 0;
  let isClosed = false;

  function open(): Promise<void> {
    opening ??= connect().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  async function connect(): Promise<void> {
    const next = await settings.open();
    next.onmessage = ({ data }: { readonly data: unknown }) => {
      failed = 0;
      settings.onText(String(data));
    };
    next.onerror = () => {};
    return new Promise((resolve, reject) => {
      next.onopen = () => {
        socket = next;
        settings.onConnection('open');
        resolve();
      };
      next.onclose = () => {
        const wasOpen = socket === next;
        socket = undefined;
        opening = undefined;
        reject(new Error('The connection could not be opened.'));
        if (wasOpen && !isClosed) replace();
      };
    });
  }

  function replace(): void {
    failed += 1;
    const delay = settings.isNeeded() ? waitAfter(failed) : undefined;
    if (delay === undefined) {
      settings.onConnection('closed');
      settings.onLost();
      return;
    }
    settings.onConnection('reconnecting');
    timer = setTimeout(() => {
      if (!isClosed) open().then(settings.onReconnected, replace);
    }, delay);
  }

  return {
    open,
    isOpen: () => socket !== undefined,
    send: (text: string) => socket?.send(text),
    close(): void {
      isClosed = true;
      clearTimeout(timer);
      socket?.close();
      settings.onConnection('closed');
    },
  };
}
