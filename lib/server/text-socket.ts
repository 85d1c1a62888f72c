/** A socket, as a protocol of text messages needs it. No protocol knows the library behind it. */
export type TextSocket = {
  /** Resolves when the next message may follow. @throws Error when the socket closes first */
  send(text: string): Promise<void>;
  close(code: number, reason: string): void;
};

/** One socket's protocol. */
export type TextSession = {
  /** @param text `undefined` for a message that is not text */
  receive(text: string | undefined): void;
  /** The socket is gone. */
  leave(): void;
};

/** Begins one socket's protocol; `handshake` is its upgrade request, which says who is there. */
export type OpenTextSession = (socket: TextSocket, handshake: Request) => TextSession;
