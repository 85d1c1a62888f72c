/** A socket for protocols of text messages. It hides which WebSocket library is used. */
export type TextSocket = {
  /** Resolves when the next message may be sent. @throws Error if the socket closes first */
  send(text: string): Promise<void>;
  close(code: number, reason: string): void;
};

/** The protocol of one socket. */
export type TextSession = {
  /** @param text `undefined` for a message that is not text */
  receive(text: string | undefined): void;
  /** Called when the socket has closed. */
  leave(): void;
};

/** Starts the protocol of one socket. `handshake` is the upgrade request, which contains the credentials. */
export type OpenTextSession = (socket: TextSocket, handshake: Request) => TextSession;
