import type { z } from 'zod';
import type { DialectReading } from '../../../dialects/reading.ts';
import type { CallState, TurnFacts } from '../turn-facts.ts';

/** What a client of a dialect shows of a turn. */
export type Shown = {
  readonly text: string;
  /** The state of each call. `ended` if the dialect does not distinguish a stop from a failure. */
  readonly calls: ReadonlyMap<string, CallState | 'ended' | 'open'>;
};

/** What holds for the readings of one dialect. */
export type DialectRules = {
  /** Of each frame. */
  readonly schema: z.ZodType;
  /** What a client shows after all frames of a reading, computed with the reducer that this library has for clients. */
  readonly shownBy: (reading: DialectReading, facts: TurnFacts) => Shown;
  /** Whether it may send nothing about a call. */
  readonly mayBeAbsent?: (toolCallId: string, facts: TurnFacts) => boolean;
  /** Its frames are counted without gaps. */
  readonly hasNoGaps?: true;
};
