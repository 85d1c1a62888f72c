import type { Executor } from './events.ts';
import type { RememberRequest } from './grants.ts';
import type { ApprovalId, ChatId, ToolCallId } from './ids.ts';
import type { JsonValue } from './json.ts';
import type { Person } from './principal.ts';

/** How much harm a call could do, in the tool author's judgement. */
export type Risk = 'low' | 'medium' | 'high';

/** Where a question stands. Every state but `open` is final. @source contract S */
export type QuestionState = 'open' | 'approved' | 'denied' | 'superseded' | 'expired' | 'cancelled';

/** Why a question was taken back unanswered. */
export type WithdrawalReason = 'superseded' | 'expired' | 'cancelled';

/** What a person answered. `input` is present when the arguments were edited. */
export type Answer = {
  readonly approved: boolean;
  readonly reason?: string;
  readonly input?: JsonValue;
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
  readonly input: JsonValue;
  /** What will happen, in a sentence. */
  readonly description: string;
  readonly risk?: Risk;
  readonly askedBy: Person;
  readonly requestedAt: number;
  readonly deadline?: number;
  readonly position?: Position;
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
