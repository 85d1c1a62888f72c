import type { CheckedRule, Rank } from '../rules/finding.ts';
import type { Session } from './session.ts';

/** One frame as a client reads it. */
export type DialectFrame = {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The id of its place in the stream. */
  readonly id?: string;
};

/** What a frame means in any dialect. Frames with another meaning, or an unknown type, have none. */
export type Meaning =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'start' | 'end' | 'failure'; readonly callId: string }
  | { readonly kind: 'question'; readonly approvalId: string; readonly callId: string }
  /** The last frame of a stream, and whether the server reports a failure with it. */
  | { readonly kind: 'last'; readonly failed: boolean };

/** One turn: a prompt, and the same answer to each question. */
export type DialectTurn = {
  readonly prompt: string;
  readonly approved: boolean;
  /** Its responses in order. One connection over several questions is one stream. */
  readonly streams: readonly (readonly DialectFrame[])[];
  /** What is wrong with the form of its frames. */
  readonly faults: readonly string[];
  /** Names the conversation for further requests. */
  readonly chatId?: string;
};

/** What was seen of a rule: violations, of which there may be none, or why there was no occasion. */
export type DialectSight = { readonly violations: readonly string[] } | { readonly note: string };

/** A request outside of turns, and what the rule says about the answer. */
export type DialectProbe = {
  readonly rule: CheckedRule;
  readonly title: string;
  readonly rank?: Rank;
  /** @throws BudgetSpent */
  readonly run: (session: Session, turn: DialectTurn) => Promise<DialectSight>;
};

/** A dialect as a client of it sees it. */
export type CheckedDialect = {
  /** For `--dialect`. */
  readonly name: string;
  /** The ids of the rules that all dialects have. */
  readonly rules: Readonly<Record<'form' | 'pairs' | 'last' | 'question', CheckedRule>>;
  meaningOf(frame: DialectFrame): Meaning | undefined;
  /** A call may fail that never started, such as a denied one. */
  readonly failsUnstarted: boolean;
  /** @throws CannotCheck, BudgetSpent */
  play(session: Session, prompt: string, approved: boolean): Promise<DialectTurn>;
  readonly probes: readonly DialectProbe[];
};
