import type { UIMessageChunk } from 'ai';

/** A rule of response timing that can be judged from what was sent. */
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

/** One broken rule: in which response (from 0), what is wrong, and the chunks that show it. */
export type Violation = { rule: TimingRule; response: number; message: string; chunks: UIMessageChunk[] };

/** What a checker knows of the turn beside its responses. */
export type TimingOptions = {
  /** When text and outcomes are sent. `'final'`: after the last answer (the default). `'progressive'`: as they happen. */
  release?: 'final' | 'progressive';
  /** The names of the tools that the client executes; they have no outcome from the server. */
  clientTools?: readonly string[];
  /** The answers given, by approval id. Those that the stream itself carries need not be repeated. */
  answers?: Readonly<Record<string, boolean>>;
  /**
   * What was answered when an answer was sent that had been given before: these must hold nothing that the turn's own
   * responses do not. @source T12
   */
  repeats?: readonly UIMessageChunk[][];
  /** Texts that stand only in a history which the client made up: none of them may come back. @source T12 */
  forged?: readonly string[];
  /** Whether the list is a whole turn, so that its last response must be the final one. Default `false`. */
  finished?: boolean;
};
