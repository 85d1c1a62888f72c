import type { RememberRequest } from './grants.ts';
import type { ApprovalId, ChatId, ToolCallId } from './ids.ts';
import type { JsonValue } from './json.ts';
import type { Person } from './principal.ts';

/** Who executes a call. */
export type Executor = 'server' | 'client' | 'provider';

/** How much harm a call could do, in the tool author's judgement. */
export type Risk = 'low' | 'medium' | 'high';

/** Where a question stands. Every state but `open` is final. @source contract S */
export type QuestionState =
  | 'open'
  | 'approved'
  | 'denied'
  | 'superseded'
  | 'expired'
  | 'cancelled'
  | 'tool-changed';

/** Why a question was withdrawn unanswered. `tool-changed`: it is asked again, about the tool as it is now. */
export type WithdrawalReason = 'superseded' | 'expired' | 'cancelled' | 'tool-changed';

/** An earlier call with the same tool and arguments. */
export type Repeat = {
  /** When it was approved or began, in epoch milliseconds. */
  readonly at: number;
  /** What had become of it when the question was asked. */
  readonly outcome: 'approved' | 'running' | 'completed' | 'failed' | 'unknown';
  /** Where it is. Left out for whoever may not see that chat. */
  readonly chatId?: ChatId;
  readonly toolCallId?: ToolCallId;
  /** Whose chat that is. Never shown. */
  readonly ownerId?: string;
};

/**
 * The rule that let a person answer: the tool's `approvers`, the flow's `mayAnswer`, both of them, or, without any
 * rule, owning the chat.
 */
export type AnswerRule = 'approvers' | 'flow' | 'both' | 'owner';

/** What a person answered. `input` is present when the arguments were edited. */
export type Answer = {
  readonly approved: boolean;
  readonly reason?: string;
  readonly input?: JsonValue;
  /** What the tool gets for them, where its schema makes something else of them. */
  readonly runsAs?: JsonValue;
  readonly by: Person;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The door it came through: `sse`, `bidi`, `http`, a dialect's name. */
  readonly via: string;
};

/** One question, as the log and the inbox know it. Times are epoch milliseconds. */
export type Question = {
  readonly id: ApprovalId;
  readonly chatId: ChatId;
  readonly ownerId: string;
  readonly toolCallId: ToolCallId;
  readonly toolName: string;
  /** The tool's name for people. */
  readonly title?: string;
  readonly executor: Executor;
  /** The arguments as the model gave them, redacted. */
  readonly input: JsonValue;
  /** What the tool gets for them, redacted likewise. Present where its schema makes something else of them. */
  readonly runsAs?: JsonValue;
  /** What will happen, in a sentence. */
  readonly description: string;
  readonly risk?: Risk;
  readonly askedBy: Person;
  readonly requestedAt: number;
  readonly deadline?: number;
  readonly position?: Position;
  /** What the question is about, as a digest. Missing for a call that the model's provider runs. @source ADR 0020 */
  readonly digest?: string;
  /** The question that was withdrawn for this one. */
  readonly replaces?: ApprovalId;
  /** The same call ran, or was approved, within the day before. */
  readonly repeatOf?: Repeat;
  readonly state: QuestionState;
  readonly answer?: Answer;
};

/** Place in the queue of one model step; `of` is left out when it is not known. Counts from 1. */
export type Position = { readonly index: number; readonly of?: number };

/** An answer as it arrives, before it is checked. @source contract H1, H10 */
export type AnswerRequest = {
  readonly approvalId: ApprovalId;
  readonly approved: boolean;
  readonly reason?: string;
  /** Edited arguments, to be checked against the tool's schema. */
  readonly input?: unknown;
  /** Calls like this one are not asked about again. @source ADR 0015 */
  readonly remember?: RememberRequest;
  /** Arguments as the client showed them (full-history form only): must equal what was asked. */
  readonly shownInput?: unknown;
};

/** The outcome of a client-executed tool, as it arrives. @source contract H1 */
export type OutputRequest = { readonly toolCallId: ToolCallId } & (
  | { readonly output: unknown; readonly errorText?: undefined }
  | { readonly errorText: string; readonly output?: undefined }
);
