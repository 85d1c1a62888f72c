import type { UIMessageChunk } from 'ai';

/** A rule of the response timing contract that can be judged from what was sent. */
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
  /** Whether the list is a whole turn, so that its last response must be the final one. Default `false`. */
  finished?: boolean;
};
