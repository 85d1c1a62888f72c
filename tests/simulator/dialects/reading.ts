import type { DialectName } from './profile.ts';

/** One frame that a reader of a dialect received. */
export type DialectFrame = {
  readonly moment: number;
  /** Counts the connections of its reader, from 1. */
  readonly connection: number;
  /** The run that the stream is about, in dialects with a stream for each run. */
  readonly runId?: string;
  /** The frame's own id, in dialects that have them. */
  readonly id?: string;
  /** The payload. For the two-step stream with the event's name, as `{ type, data }`. */
  readonly data: unknown;
};

/** What one client of a dialect received of one turn, over all its connections. */
export type DialectReading = {
  readonly moment: number;
  readonly dialect: DialectName;
  readonly who: string;
  readonly chatId: string;
  /** The message that the turn creates. */
  readonly messageId: string;
  /** `follow`: from its beginning, with interruptions; `fresh`: once, at the end of the schedule. */
  readonly asks: 'follow' | 'fresh';
  readonly frames: DialectFrame[];
  /** The runs whose streams were read; for dialects with one stream for a turn, the first run. */
  readonly begun: string[];
  /** The runs whose streams have ended as their dialect specifies. */
  readonly over: Set<string>;
  /** Why the rest cannot be read: the chat was erased, or the dialect shows only the last message, and there is another. */
  left?: 'erased' | 'not-last';
};
