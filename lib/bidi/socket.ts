/** A message's data as `ws` passes it: one buffer, unless configured otherwise. */
export type SocketData = Buffer | ArrayBuffer | Buffer[];

/** What we use of an open WebSocket. The driver itself stays in `server.ts`. */
export type Socket = {
  readonly readyState: number;
  /** The value of `readyState` while frames can be sent. */
  readonly OPEN: number;
  readonly bufferedAmount: number;
  /** @param sent called when the frame was sent, or with an error if it cannot be */
  send(text: string, sent: (error?: Error) => void): void;
  ping(): void;
  close(code: number, reason: string): void;
  /** Drops the connection without a close frame. */
  terminate(): void;
  on(event: 'message', listener: (data: SocketData, isBinary: boolean) => void): unknown;
  on(event: 'close' | 'pong', listener: () => void): unknown;
};

/** A message's text. `ws` gives one buffer by default; the other forms belong to settings we do not use. */
export function textOf(data: SocketData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return data instanceof ArrayBuffer ? Buffer.from(data).toString() : data.toString();
}
