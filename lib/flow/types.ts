import type { InferToolInput, InferToolOutput, streamText, ToolSet } from 'ai';
import type {
  AnswerRequest,
  ApprovalId,
  ChatHead,
  ChatId,
  Clock,
  Executor,
  FlowEvent,
  FlowStore,
  GrantId,
  Logger,
  MessageId,
  OutputRequest,
  Page,
  Person,
  Principal,
  Question,
  QuestionChange,
  QuestionState,
  Release,
  Risk,
  RunId,
  RunOptions,
  Secrets,
  ToolCallId,
  ToolKind,
  UsedGrant,
  UserPart,
} from '../vocabulary/index.ts';
import type { AuditEntry } from './audit/audit-entry.ts';
import type { StoredMessage } from './projections/stored-messages.ts';

/**
 * A question as a rule sees it: its arguments redacted as people see them. When somebody would approve other
 * arguments, `input` holds those and `editedBy` names who wrote them.
 *
 * @source ADR 0015
 */
export type RuledQuestion = Question & { readonly editedBy?: Person };

/** Who may answer a question. Asked for every card, list and answer, so it only looks. @source ADR 0015 */
export type ApproverRule = (principal: Principal, question: RuledQuestion) => boolean;

/** What a tool's author says of it beyond its schema. All optional; kept beside the SDK's tools. */
export type ToolDetails<Input = never, Output = never> = {
  /** What will happen, in one sentence: the headline of the approval card. Default: the tool's title or name. */
  describe?(input: Input): string;
  readonly risk?: Risk;
  /** How a result is told to people. Default: an array counts its items, another value 1, nothing 0. */
  summarize?(output: Output, input: Input): { summary: string; resultCount?: number };
  readonly kind?: ToolKind;
  readonly title?: string;
  /** The effect may safely happen twice: the call id is the idempotency key. Allows retry and re-run. */
  readonly idempotent?: boolean;
  /** False: a transient failure is final. Default true. @source contract A10 */
  readonly retryable?: boolean;
  /** How long a question about this tool stays open. Overrides the flow's. @source contract H12 */
  readonly deadlineMs?: number;
  /**
   * Who may answer questions about this tool. With the flow's `mayAnswer` both must agree; without it this rule alone
   * decides, and whoever it lets answer need not see the chat. Default: the flow's rule.
   *
   * @source ADR 0015
   */
  readonly approvers?: ApproverRule;
  /** True: each call is asked about, whatever a person would have remembered. @source ADR 0015 */
  readonly neverRemember?: boolean;
  /** What of its input and output nobody is shown. It still runs with everything. */
  readonly secrets?: Secrets;
};

type StepSettings<Tools extends ToolSet> = Parameters<typeof streamText<Tools>>[0];

/** Settings that go to the SDK as they are, under its own names. */
type PassedOn =
  | 'model'
  | 'instructions'
  | 'toolChoice'
  | 'toolApproval'
  | 'stopWhen'
  | 'prepareStep'
  | 'activeTools'
  | 'maxOutputTokens'
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'presencePenalty'
  | 'frequencyPenalty'
  | 'stopSequences'
  | 'seed'
  | 'maxRetries'
  | 'headers'
  | 'providerOptions'
  | 'telemetry'
  | 'repairToolCall';

/** What `createApprovalFlow` takes. */
export type FlowSettings<Tools extends ToolSet = ToolSet> = Pick<StepSettings<Tools>, PassedOn> & {
  readonly store: FlowStore;
  readonly tools?: Tools;
  readonly toolsContext?: Readonly<Record<string, unknown>>;
  readonly toolDetails?: {
    readonly [Name in keyof Tools]?: ToolDetails<InferToolInput<Tools[Name]>, InferToolOutput<Tools[Name]>>;
  };
  /** Default `'final'`. @source T10, T11 */
  readonly release?: Release;
  /** One automatic retry of a transient failure, after `delayMs` (default 1,000). `false`: none. @source A10 */
  readonly retry?: false | { readonly delayMs?: number };
  /** Who may see and continue a chat. Default: its owner. */
  readonly mayAccess?: (principal: Principal, chat: { id: ChatId; ownerId: string }) => boolean;
  /** Who may answer a question. Default: its tool's `approvers`, or else the chat's owner. */
  readonly mayAnswer?: ApproverRule;
  /** How long a question stays open before it counts as denied. Default: for ever. @source contract H12 */
  readonly deadlineMs?: number;
  /** Erases chats that have rested this long, waiting ones included. Default: never. */
  readonly retentionMs?: number;
  /** Seals the audit record: at least 16 characters, kept out of the database. Default: no seals, no record. */
  readonly auditKey?: string;
  /** How long an owner may be silent before another instance takes its run. Default 10,000 ms. */
  readonly leaseMs?: number;
  /** Milliseconds between looks for runs to take over and questions to expire. Default 3,000. */
  readonly sweepMs?: number;
  /** How long a tool may ignore the abort signal of a stop. Default 5,000 ms. @source H5 */
  readonly stopGraceMs?: number;
  /** How long a finished turn can still be replayed. Default 60,000 ms. @source H2 */
  readonly replayMs?: number;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** At least 128 bits of randomness, URL-safe. */
  readonly random?: () => string;
};

/** A new user message, its parts already checked. */
export type NewMessage = { readonly id: MessageId; readonly parts: readonly UserPart[] };

/** One request for a response. @source contract H1 */
export type RespondRequest = {
  readonly chatId: ChatId;
  readonly principal: Principal;
  readonly trigger: 'submit-message' | 'regenerate-message';
  /** Submit: the user message that is edited. Regenerate: the message to answer anew. */
  readonly messageId?: MessageId;
  readonly message?: NewMessage;
  readonly answers?: readonly AnswerRequest[];
  readonly outputs?: readonly OutputRequest[];
  /** The door the request came through: recorded with answers. */
  readonly via: string;
  /** Refuse a chat that is not there (`not-found`), rather than begin it. */
  readonly mustExist?: boolean;
  /** For the turn that a message begins; with answers and outputs, the turn's own stay. */
  readonly options?: RunOptions;
  /** How far the stream goes: to the run's end (default), or over its questions to the turn's end. */
  readonly until?: StreamEnd;
};

/** Where a response ends: with its run, or, for clients that stay connected over questions, with the turn. */
export type StreamEnd = 'run' | 'turn';

/** Where a reader stands in a turn, and what it may do. */
export type StreamView = {
  readonly chat: { readonly id: ChatId; readonly ownerId: string };
  /** Chunks come from events with `seq >= emitFrom`; earlier ones only set the stage. */
  readonly emitFrom: number;
  /** Replay (H2): tells also what the sender of a request knows already. */
  readonly replay: boolean;
  readonly rights: (question: Question) => QuestionRights;
};

/** One turn's events from its first on, live until the response ends. Cancelling detaches the reader only. */
export type FlowStream = {
  readonly events: ReadableStream<FlowEvent>;
  readonly view: StreamView;
  /** The run that the stream begins with; `null` when nothing runs and nothing ran. */
  readonly runId: RunId | null;
};

/** What a principal may do with a question; whoever may not answer may do nothing. @source contract H13 */
export type QuestionRights = {
  readonly mayAnswer: boolean;
  /** May approve other arguments: the tool is ours, not a provider's. */
  readonly mayEdit: boolean;
  /** May have the approval remembered. @source ADR 0015 */
  readonly mayRemember: boolean;
};

/** A question, and what this principal may do with it. */
export type QuestionView = Question & QuestionRights;

/** A question alone; `inputSchema` is the JSON Schema that edited arguments must fit, present with `mayEdit`. */
export type QuestionDetails = QuestionView & { readonly inputSchema?: unknown };

/** Questions as they open and settle, and the place in the feed that they follow. */
export type ApprovalFeed = {
  readonly after: number;
  readonly changes: ReadableStream<Omit<QuestionChange, 'question'> & { question: QuestionView }>;
};

/** A question as it was just answered, and the run that goes on with the answer, if one does. */
export type AnsweredQuestion = QuestionView & { readonly runId?: RunId };

/** A chat as its page shows it. @source contract H4 */
export type ChatView = {
  readonly id: ChatId;
  readonly title: string;
  readonly messages: readonly StoredMessage[];
  readonly draft?: string;
  readonly run: { readonly status: ChatHead['status'] };
  readonly open?: ApprovalId;
  /** Every question that was asked here, oldest first, with its answer. */
  readonly questions: readonly QuestionView[];
};

/** An approval that a person had remembered, and what came of it. Times are epoch milliseconds. @source ADR 0015 */
export type Remembered = Omit<UsedGrant, 'key'>;

/** A tool as clients may read of it, before anything is called. @source contract D20 */
export type ToolListing = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly kind: ToolKind;
  readonly executor: Executor;
  /** JSON Schema. */
  readonly inputSchema: unknown;
};

/** A call of the flow always names who acts. */
type By = { readonly principal: Principal };
type InChat = By & { readonly chatId: ChatId };

/**
 * The engine: everything a transport or a dialect can ask of it. All methods throw `CountersignError`;
 * a chat or question that the principal may not see is `not-found`.
 */
export type ApprovalFlow = {
  /** Takes a message, answers or outputs, and streams the response. @source H1, H6-H8, H10 */
  respond(request: RespondRequest): Promise<FlowStream>;
  /** Replays the current message, then goes on live; `null` when there is nothing to resume. @source H2 */
  resume(request: InChat): Promise<FlowStream | null>;
  /** Reads one run again, from its start or after an event of it; `null` when the chat has no such run. */
  follow(request: InChat & { runId: RunId; after?: number; until?: StreamEnd }): Promise<FlowStream | null>;
  /** Answers a question from anywhere; the run goes on without a reader. @source H10 */
  answer(
    request: By & Omit<AnswerRequest, 'shownInput'> & { readonly via: string },
  ): Promise<AnsweredQuestion>;
  /** Ends the active run, or withdraws the open question. No error when nothing runs. @source H5 */
  stop(request: InChat): Promise<void>;
  /** Ends one call, and lets its turn go on. False when there was nothing to end. @source D21 */
  cancelCall(request: InChat & { readonly toolCallId: ToolCallId }): Promise<boolean>;
  /** Makes a call again that failed and may be tried again; `null` when the last turn has no such call. @source D22 */
  retryCall(
    request: InChat & { readonly toolCallId: ToolCallId; readonly until?: StreamEnd },
  ): Promise<FlowStream | null>;
  /** The tools that the model is given. */
  tools(): Promise<readonly ToolListing[]>;
  chat(request: InChat): Promise<ChatView>;
  chats(request: By & { cursor?: string; limit?: number }): Promise<Page<ChatHead & { openCount: number }>>;
  rename(request: InChat & { title: string }): Promise<void>;
  erase(request: InChat): Promise<void>;
  approvals(
    request: By & { state: QuestionState; cursor?: string; limit?: number },
  ): Promise<Page<QuestionView>>;
  approval(request: By & { approvalId: ApprovalId }): Promise<QuestionDetails>;
  /** Opened and settled questions after a place in the feed (default: from now on), until cancelled. @source H11 */
  approvalFeed(request: By & { after?: number }): Promise<ApprovalFeed>;
  /** What this person had remembered, the newest first. @source ADR 0015 */
  remembered(request: By & { cursor?: string; limit?: number }): Promise<Page<Remembered>>;
  /** Takes back a remembered approval: from now on it applies to no call. `not-found` for one of somebody else. */
  forget(request: By & { grantId: GrantId }): Promise<void>;
  /** The chat's log, without what its tools keep secret. */
  timeline(request: InChat): Promise<readonly FlowEvent[]>;
  /** What was asked, answered and run, sealed entry by entry; `head` is the seal of the last one. */
  audit(request: InChat): Promise<{ readonly entries: readonly AuditEntry[]; readonly head: string }>;
  /** Takes over runs whose owner is gone. Call at boot. */
  recover(): Promise<void>;
  /** Ends subscriptions and waits for local runs to reach a durable point. */
  close(): Promise<void>;
};
