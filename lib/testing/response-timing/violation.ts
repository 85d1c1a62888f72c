import type { UIMessageChunk } from 'ai';
import type { Release } from '../../protocol/index.ts';

/** A response timing rule that can be checked from what was sent. */
export type TimingRule =
  | 'T1'
  | 'T2'
  | 'T3'
  | 'T4'
  | 'T5'
  | 'T6'
  | 'T7'
  | 'T8'
  | 'T11'
  | 'T12'
  | 'T13'
  | 'T15'
  | 'T16';

/** One broken rule: the response (from 0), what is wrong, and the chunks that show it. */
export type Violation = { rule: TimingRule; response: number; message: string; chunks: UIMessageChunk[] };

/** What the checks need to know of a turn besides its responses. */
export type TimingOptions = {
  /**
   * When text and outcomes are sent. `'final'`: after the last answer (the default). `'progressive'`: as they happen.
   * `'hold-after-question'`: as they happen up to the first question, and what follows it after the last answer.
   */
  release?: Release;
  /** The names of the client tools; the server sends no outcome for them. */
  clientTools?: readonly string[];
  /** The answers, by approval id. Those in the stream itself need not be repeated. */
  answers?: Readonly<Record<string, boolean>>;
  /** The responses to repeated answers. They must contain nothing that the turn's own responses do not. @source T12 */
  repeats?: readonly UIMessageChunk[][];
  /** Texts that exist only in a forged history. None of them may come back. @source T12 */
  forged?: readonly string[];
  /** Whether the turn is complete, so that its last response must be the final one. Default `false`. */
  finished?: boolean;
};
