import type { RunId } from '../../../lib/protocol/index.ts';
import type { Reached } from '../actors/client.ts';
import type { History } from '../history.ts';
import type { Random } from '../machine/random.ts';
import type { World } from '../machine/world.ts';
import type { Manners, Outcome } from './connections.ts';
import type { createDialectExchanges, DialectCommand } from './exchanges.ts';
import type { DialectReading } from './reading.ts';

/** Reads one stream of a turn, connection by connection. */
export type Reader = (instance: Reached, manners: Manners) => Promise<Outcome>;

/** What a reader needs. */
export type ReaderParts = {
  readonly world: World;
  readonly history: History;
  readonly reading: DialectReading;
  readonly runId: string;
};

/** What a client needs to send something. */
export type Sending = ReturnType<typeof createDialectExchanges> & {
  readonly command: DialectCommand;
  readonly random: Random;
};

/** What the clients of one dialect do. */
export type DialectClient = {
  /** Reads a stream, and resumes as the dialect specifies. */
  readonly createReader: (parts: ReaderParts) => Reader;
  /** It has a stream for each run. The others have one for the turn. */
  readonly hasStreamOfRun?: true;
  /** Its events have a name beside their data, and its streams can continue in the next run. */
  readonly namesItsEvents?: true;
  readonly send: (sending: Sending, text: string) => Promise<void>;
  readonly answer?: (sending: Sending, answer: DialectAnswer) => Promise<void>;
  readonly stop?: (sending: Sending, runId: RunId) => Promise<void>;
  readonly retry?: (sending: Sending, toolCallId: string) => Promise<void>;
  /** What a stranger requests to learn about a chat. */
  readonly spiedPaths?: (chatId: string, runId: RunId) => readonly string[];
  readonly spy?: (sending: Sending) => Promise<void>;
  /** Where a run is read back as one JSON, instead of its stream. */
  readonly pathOfRun?: (chatId: string, runId: string) => string;
  /** Where stored messages are read, in addition to the streams. */
  readonly stored?: {
    readonly path: (chatId: string) => string;
    /** Only what is about the message of the reading. */
    readonly partOf: (json: unknown, reading: DialectReading) => unknown;
  };
};

/** An answer to an open question. */
export type DialectAnswer = { readonly approvalId: string; readonly approved: boolean };
