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
  /** Its arguments do not match the tool's current schema. */
  | 'arguments-unfit'
  /** A subagent made it. The gate of that agent decides about its calls. */
  | 'subagent'
  /** An agent outside the flow asked for approval (ADR 0044). A person is asked, unless the gate denies it. */
  | 'agent-request';

/** One call for which the other gate decides differently. Values that its tool keeps secret are redacted. */
export type RehearsedCall = {
  readonly chatId: ChatId;
  readonly toolCallId: ToolCallId;
  readonly toolName: string;
  readonly title?: string;
  /** A sentence that says what the call would do. */
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

/** The calls with one recorded decision and one other rehearsed decision. */
export type DecisionChange = {
  readonly from: GateDecision;
  readonly to: GateDecision;
  readonly calls: number;
  /** How many people asked for these calls. */
  readonly people: number;
  /** The number of calls by tool name, most calls first. */
  readonly tools: Readonly<Record<string, number>>;
  /** With `from: 'asked'`: how the questions ended. */
  readonly answers?: Readonly<Record<GivenAnswer, number>>;
  /** The latest of these calls, newest first. */
  readonly examples: readonly RehearsedCall[];
};

/** What another gate would have decided about past calls. @see RehearsalMethods.run */
export type Rehearsal = {
  /** The start of the period, in epoch milliseconds. */
  readonly since: number;
  /** The end of the period, in epoch milliseconds, excluded. */
  readonly until: number;
  /** Chats with at least one call in this period, rehearsed or not. */
  readonly chats: number;
  /** Calls in this period that were rehearsed. */
  readonly calls: number;
  /** How many of them have each recorded decision. */
  readonly recorded: Readonly<Record<GateDecision, number>>;
  /** How many of them have each decision of the other gate. */
  readonly rehearsed: Readonly<Record<GateDecision, number>>;
  /** Most calls first. */
  readonly changes: readonly DecisionChange[];
  /** Calls in this period that were not rehearsed, by reason. */
  readonly notRehearsed: Readonly<Record<NotRehearsed, number>>;
};
