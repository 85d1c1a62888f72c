import type { ChatId, JsonValue, Person, ToolCallId } from '../../protocol/index.ts';

/**
 * What a gate decides about a call. `asked`: a person is asked. `allowed`: it runs without a question. `denied`: a rule denies it.
 * `failed`: the gate threw or returned an unknown status, so the call does not run.
 */
export type GateDecision = 'asked' | 'allowed' | 'denied' | 'failed';

/** How a question ended: by a person's answer, by a remembered approval in its place, or without an answer. */
export type GivenAnswer = 'approved' | 'edited' | 'denied' | 'remembered' | 'none';

/** Why a call could not be rehearsed. */
export type NotRehearsed =
  /** The flow no longer has its tool. */
  | 'tool-removed'
  /** Its arguments no longer match the tool's schema. */
  | 'arguments-unfit'
  /** A subagent made it. Calls of a subagent pass the gate of their agent. */
  | 'subagent';

/** One call that the other gate decides differently. Values that its tool keeps secret are replaced. */
export type RehearsedCall = {
  readonly chatId: ChatId;
  readonly toolCallId: ToolCallId;
  readonly toolName: string;
  readonly title?: string;
  /** What the call was going to do, in words. */
  readonly description?: string;
  readonly input: JsonValue;
  /** When the model made the call, in epoch milliseconds. */
  readonly at: number;
  readonly askedBy?: Person;
  /** The reason that the other gate gives. */
  readonly reason?: string;
  /** Present if a person was asked. */
  readonly answer?: GivenAnswer;
};

/** The calls that were decided one way, and would be decided another way. */
export type DecisionChange = {
  readonly from: GateDecision;
  readonly to: GateDecision;
  readonly calls: number;
  /** How many people asked for these calls. */
  readonly people: number;
  /** Calls by the name of their tool, most first. */
  readonly tools: Readonly<Record<string, number>>;
  /** With `from: 'asked'`: how the questions had ended. */
  readonly answers?: Readonly<Record<GivenAnswer, number>>;
  /** The most recent ones, newest first. */
  readonly examples: readonly RehearsedCall[];
};

/** What another gate would have decided about past calls. @see ApprovalFlow.rehearse */
export type Rehearsal = {
  /** Epoch milliseconds. */
  readonly since: number;
  /** Epoch milliseconds. */
  readonly until: number;
  /** Chats with calls of this time. */
  readonly chats: number;
  /** Calls of this time that were rehearsed. */
  readonly calls: number;
  /** What was decided about them then. */
  readonly recorded: Readonly<Record<GateDecision, number>>;
  /** What the other gate decides about them. */
  readonly rehearsed: Readonly<Record<GateDecision, number>>;
  /** Most calls first. */
  readonly changes: readonly DecisionChange[];
  /** Calls of this time that were not rehearsed. */
  readonly notRehearsed: Readonly<Record<NotRehearsed, number>>;
};
