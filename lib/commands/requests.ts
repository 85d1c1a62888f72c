import type {
  AnswerRequest,
  ApprovalId,
  ChatId,
  JsonValue,
  MessageId,
  OutputRequest,
  Person,
  Principal,
  Question,
  RunId,
  RunOptions,
  ToolCallId,
  UserPart,
} from '../protocol/index.ts';
import type { ResolutionJson } from '../protocol/wire/resolution.ts';
import type { UpcomingCallJson } from '../protocol/wire/upcoming.ts';
import type { QuestionView } from '../rights/question-rights.ts';
import type { StreamEnd } from '../views/flow-stream.ts';

/** A person's request about a chat. */
export type ChatRequest = { readonly principal: Principal; readonly chatId: ChatId };

/** A person's request about one call of a chat. */
export type CallRequest = ChatRequest & { readonly toolCallId: ToolCallId };

/** A new user message, its parts already checked. */
export type NewMessage = {
  readonly id: MessageId;
  readonly parts: readonly UserPart[];
  /** Stored with the message. The model does not see it. */
  readonly metadata?: JsonValue;
};

/** One request for a response. @source H1 */
export type RespondRequest = {
  readonly chatId: ChatId;
  readonly principal: Principal;
  readonly trigger: 'submit-message' | 'regenerate-message';
  /** Submit: the user message that is edited. Regenerate: the message to regenerate. */
  readonly messageId?: MessageId;
  readonly message?: NewMessage;
  readonly answers?: readonly AnswerRequest[];
  readonly outputs?: readonly OutputRequest[];
  /** The transport of the request, such as `sse`: recorded with answers. */
  readonly via: string;
  /** Refuses an unknown chat (`not-found`) instead of creating it. */
  readonly mustExist?: boolean;
  /**
   * An idempotency key of the message, for clients that may send a request again. A person can use a key for one message in one chat.
   * @see Chats.findMessage
   */
  readonly key?: string;
  /** Applies to the turn that a message begins. With answers and outputs, the turn keeps its own. */
  readonly options?: RunOptions;
  /**
   * For `prepareCall`, in each run of the turn that a message begins. With answers and outputs, the turn
   * keeps its own, and a warning is logged if these are others. Recorded as JSON.
   *
   * @source ADR 0030
   */
  readonly callOptions?: unknown;
  /** Where the stream ends: at the end of the run (default), or of the turn, including its questions. */
  readonly until?: StreamEnd;
};

/** A question that was just answered, and the run that continues with the answer, if there is one. */
export type AnsweredQuestion = QuestionView & { readonly runId?: RunId };

/** A request for what an open question would show. @source ADR 0040 */
export type PreviewRequest = {
  readonly principal: Principal;
  readonly approvalId: ApprovalId;
  /** Edited arguments. Default: those of the question. */
  readonly input?: unknown;
};

/** What a question shows for certain arguments: the sentence, and the effect if the tool has a `preview`. */
export type PreviewedCall = Pick<Question, 'description' | 'preview'>;

/** A request about the calls that follow an open question in its step. @source ADR 0041 */
export type UpcomingRequest = { readonly principal: Principal; readonly approvalId: ApprovalId };

/**
 * A call whose question is not due yet, as the question would show it now, redacted.
 *
 * @source ADR 0041
 */
export type UpcomingCall = Pick<
  Question,
  'toolCallId' | 'toolName' | 'title' | 'input' | 'runsAs' | 'description' | 'risk' | 'riskReason' | 'history'
> & {
  /** A digest of what is shown here. An approval in advance names it. */
  readonly digest: string;
  /** Why the call cannot be approved in advance. Absent if it can. */
  readonly onlyWhenDue?: UpcomingCallJson['onlyWhenDue'];
  /** Its approval in advance, if it has one. `at`: epoch milliseconds. */
  readonly approved?: { readonly by: Person; readonly at: number };
};

/** Approvals in advance to give and to revoke: each call at most once. @source ADR 0041 */
export type AdvanceRequest = UpcomingRequest & {
  /** The transport of the request, such as `http`: recorded. */
  readonly via: string;
  readonly calls: readonly (
    | { readonly toolCallId: ToolCallId; readonly approved: true; readonly digest: string }
    | { readonly toolCallId: ToolCallId; readonly approved: false }
  )[];
};

/** A person's statement about a call whose outcome is unknown. @source ADR 0019 */
export type OutcomeRequest = {
  readonly principal: Principal;
  readonly chatId: ChatId;
  readonly toolCallId: ToolCallId;
  /** `completed`: it took effect. `failed`: it was tried, without effect. `not-run`: it never ran. */
  readonly outcome: ResolutionJson['outcome'];
  /** What was found, as text for people and for the model. At most 2,000 characters. */
  readonly note?: string;
  /** The result of a completed call, if it is known. */
  readonly output?: unknown;
};

/** An outcome that became known after it was recorded as unknown. `at`: epoch milliseconds. @source ADR 0018 */
export type ResolvedOutcome = {
  readonly toolCallId: ToolCallId;
  readonly toolName: string;
  readonly outcome: OutcomeRequest['outcome'];
  /** Who reported it: the process that ran the call, its tool's `lookup`, or a person. */
  readonly source: ResolutionJson['source'];
  readonly at: number;
  readonly by?: Person;
  readonly note?: string;
};
