import { readChatSocket } from './chat-socket-reader.ts';
import type { MovingServer } from './moving-server.ts';
import { readResponses } from './responses-reader.ts';
import { readToolEvents } from './tool-events-reader.ts';
import { readTwoStep } from './two-step-reader.ts';
import { readUiStream } from './ui-stream-reader.ts';

/** A client that reads one turn to its end, approves what it asks, and reconnects as often as it takes. */
export type DialectReading = {
  /**
   * Resolves when the client is connected and shows this text: all that was written so far, once. A client whose text is held
   * back only has to be connected.
   */
  shows(text: string): Promise<void>;
  /** Resolves at the end of the turn. */
  readonly ended: Promise<{
    readonly chatId: string;
    /** What the client shows. */
    readonly text: string;
    /** What a client shows that connects now. */
    readonly fresh: string;
    /** How many connections the server ended by the dialect's own word for a shutdown; `undefined` if it has none. */
    readonly shutdowns: number | undefined;
  }>;
};

/** One row a dialect: its client in `npm test` and in the matrix, at each place where a server ends. */
export const dialectReaders: readonly {
  readonly name: string;
  readonly read: (server: MovingServer, message: string) => DialectReading;
}[] = [
  { name: 'two-step stream', read: readTwoStep },
  { name: 'tool events', read: readToolEvents },
  { name: 'chat socket', read: readChatSocket },
  { name: 'Responses', read: readResponses },
  { name: 'UI stream over SSE', read: readUiStream },
];
