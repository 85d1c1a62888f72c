import type { InferToolInput, InferToolOutput, streamText, ToolSet } from 'ai';
import type { AuditEntry } from '../log/seal/audit-entry.ts';
import type { AuditKey } from '../log/seal/audit-keys.ts';
import type { ChatHead, FlowStore } from '../log/store-port.ts';
import type {
  AnswerRequest,
  ApprovalId,
  ChatId,
  Clock,
  Executor,
  FlowEvent,
  GrantId,
  Logger,
  MessageId,
  OutputRequest,
  Page,
  Pause,
  Person,
  Principal,
  Question,
  QuestionState,
  Release,
  Repeat,
  Risk,
  RunId,
  RunOptions,
  Secrets,
  ToolCallId,
  ToolKind,
  UsedGrant,
  UserPart,
} from '../protocol/index.ts';
import type { LogFault } from '../views/audit/audit-entries.ts';
import type { AuditSection } from '../views/audit/export-record.ts';
import type { ErasedChat } from '../views/audit/kept-record.ts';
import type { StoredMessage } from '../views/chat/stored-chat.ts';

/**
 * A question as a rule sees it: its arguments as the tool would get them, in JSON, redacted as people see them. When
 * somebody would approve other arguments, `input` holds those and `editedBy` names who wrote them.
 *
 * @source ADR 0015, ADR 0020
 */
export type RuledQuestion = Question & { readonly editedBy?: Person };

/**
 * Who may answer a question. Asked for every card, list and answer, so it only looks. Only `true` is a yes, given at
 * once or by a promise; a rule that throws or rejects is a no, and is logged.
 *
 * @source ADR 0015, ADR 0022
 */
export type ApproverRule = (principal: Principal, question: RuledQuestion) => boolean | Promise<boolean>;

/**
 * What a person must have proved, a short time ago, to answer. The host says so in what `authorize` gives:
 * `authenticatedAt` and `authenticationMethods` of the principal.
 *
 * @source ADR 0015
 */
export type StepUp = {
  /** How long ago `authenticatedAt` may be, in milliseconds, by the server's clock. */
  readonly maxAgeMs: number;
  /** At least one of these must be among `authenticationMethods`. Default: any sign-in will do. */
  readonly methods?: readonly string[];
};

/** What a tool's author says of it beyond its schema. All optional; kept beside the SDK's tools. */
export type ToolDetails<Input = never, Output = never> = {
  /**
   * What will happen, in one sentence of at most 2,000 characters: the headline of the approval card. Made of the
   * arguments alone, as the schema parses them: a sentence that changes by itself makes its question outdated. One that
   * throws, or gives no text, is logged, and the default stands: the tool's title or name. The arguments are shown in
   * any case.
   */
  describe?(input: Input): string;
  readonly risk?: Risk;
  /**
   * How a result is told to people: a text of at most 2,000 characters, and a whole number from 0 on. What does not fit
   * is logged, and the default stands. Default: an array counts its items, another value 1, nothing 0.
   */
  summarize?(output: Output, input: Input): { summary: string; resultCount?: number };
  readonly kind?: ToolKind;
  readonly title?: string;
  /**
   * True: running a call again has no further effect, by nature or because the tool passes on `context.idempotencyKey`.
   * Only such a call is retried after a transient failure, and run again after a crash. Default false.
   *
   * @source contract A10; ADR 0019
   */
  readonly idempotent?: boolean;
  /** False: people are not offered to try a failed call again. Default true. @source contract A11 */
  readonly retryable?: boolean;
  /**
   * How long one attempt may take, in milliseconds. At the limit the call is aborted and left: an `idempotent` one has
   * failed, and any other is of unknown outcome. Default: no limit.
   *
   * @source ADR 0019
   */
  readonly timeoutMs?: number;
  /**
   * Finds out what became of a call whose server died while it ran. Called by the instance that takes the run over,
   * before the call is recorded as unknown, and before an `idempotent` tool runs again.
   *
   * @param idempotencyKey the key that `execute` was given as `context.idempotencyKey`
   * @returns what happened; `undefined` when that cannot be said. A `lookup` that throws, or takes longer than 10 s
   *   (or `timeoutMs`), counts as `undefined`. Say `not-run` only if the effect cannot still arrive.
   * @source ADR 0019
   */
  lookup?(
    idempotencyKey: string,
    call: {
      readonly input: Input;
      /** What `execute` gets as its `context`. */
      readonly context: CallContext;
      readonly abortSignal: AbortSignal;
    },
  ): LookupResult | Promise<LookupResult>;
  /** How long a question about this tool stays open. Overrides the flow's. @source contract H12 */
  readonly deadlineMs?: number;
  /** How long an approval of this tool may wait for its use. Overrides the flow's. @source ADR 0020 */
  readonly approvalValidForMs?: number;
  /**
   * Who may answer questions about this tool. With the flow's `mayAnswer` both must agree; without it this rule alone
   * decides, and whoever it lets answer need not see the chat. Default: the flow's rule.
   *
   * @source ADR 0015
   */
  readonly approvers?: ApproverRule;
  /**
   * Goes into what questions of this tool are bound to: change it when what the tool does has changed in a way that
   * its definition does not show, and open questions are asked again. At most a few words.
   *
   * @source ADR 0020
   */
  readonly version?: string;
  /**
   * Answers to questions about this tool need a recent sign-in or second factor, over whichever transport they come;
   * any other is refused (`step-up-required`), and the question stays open. A remembered approval stands in only while
   * its person's sign-in is as recent. Stop and new messages need none.
   *
   * @source ADR 0015
   */
  readonly stepUp?: StepUp;
  /** True: each call is asked about, whatever a person would have remembered. @source ADR 0015 */
  readonly neverRemember?: boolean;
  /** What of its input and output nobody is shown. It still runs with everything. */
  readonly secrets?: Secrets;
};

/** What became of a call, as its tool's `lookup` found out; `undefined`: nobody knows. @source ADR 0019 */
export type LookupResult =
  /** `output`: what `execute` would have returned. */
  | { readonly outcome: 'completed'; readonly output: unknown }
  /** It had no effect. `error`: why, in a sentence for people and for the model. */
  | { readonly outcome: 'failed'; readonly error: string }
  /** It never ran, and cannot run any more. */
  | { readonly outcome: 'not-run' }
  | undefined;

/** What the flow adds to the `context` of each call, beside the tool's own entry in `toolsContext`. */
export type CallContext = {
  /** Who asked for the turn. */
  readonly principal: Principal;
  readonly chatId: ChatId;
  /** Who approved the call, if somebody was asked. */
  readonly approvedBy?: Person;
  /**
   * `idem_` and 43 characters of `A-Za-z0-9_-`: unique over all chats, and the same at each attempt of this call. For
   * services that take an idempotency key. It is no secret.
   *
   * @source ADR 0019
   */
  readonly idempotencyKey: string;
  /**
   * Larger for each attempt of calls in this chat. A resource that remembers the largest token of a chat, and refuses
   * smaller ones, is safe from a process that was suspended right after the last check.
   *
   * @source ADR 0019
   */
  readonly fencingToken: number;
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
  /**
   * True: settings may name tools that are not in `tools`, because tools come and go. Default: a name of no tool is
   * refused, since a misspelt one would leave its tool without a gate.
   */
  readonly dynamicTools?: boolean;
  readonly toolsContext?: Readonly<Record<string, unknown>>;
  readonly toolDetails?: {
    readonly [Name in keyof Tools]?: ToolDetails<InferToolInput<Tools[Name]>, InferToolOutput<Tools[Name]>>;
  };
  /** Default `'final'`. @source T10, T11 */
  readonly release?: Release;
  /** One automatic retry of a transient failure of an `idempotent` tool, after `delayMs` (default 1,000). `false`: none. @source A10 */
  readonly retry?: false | { readonly delayMs?: number };
  /** Who may see and continue a chat: only `true` is a yes, given at once or by a promise. Default: its owner. */
  readonly mayAccess?: (
    principal: Principal,
    chat: { id: ChatId; ownerId: string },
  ) => boolean | Promise<boolean>;
  /** Who may answer a question. Default: its tool's `approvers`, or else the chat's owner. */
  readonly mayAnswer?: ApproverRule;
  /**
   * Principals whose ids have changed: the former id leads to the one that they have now. Whoever stands in a log under
   * a former id counts as the principal of the new one, for rules, for tools and for remembered approvals. `recover`
   * gives the chats of a former id to the new one. The log, and with it the audit record, stays as it is. Both ids must
   * be the same person's.
   *
   * @example { 'key:ben': 'user:ben' }
   * @source ADR 0012
   */
  readonly formerIds?: Readonly<Record<string, string>>;
  /** How long a question stays open before it counts as denied. Default: for ever. @source contract H12 */
  readonly deadlineMs?: number;
  /**
   * How long an approval counts that could not be used, such as when the process was down. Later the same is asked
   * again. Milliseconds. Default: for ever.
   *
   * @source ADR 0020
   */
  readonly approvalValidForMs?: number;
  /** Erases chats that have rested this long, waiting ones included. Default: never. */
  readonly retentionMs?: number;
  /**
   * Seals the audit record: at least 16 characters, or a ring of such keys with ids; kept out of the database. With it
   * nothing runs on an approval that the record does not prove. Default: no seals, no record, no such check.
   *
   * @source ADR 0010, ADR 0023
   */
  readonly auditKey?: AuditKey;
  /**
   * Who may purge the record that erasure keeps of a chat's executed calls. Only `true` lets, also as a promise.
   * Default: nobody.
   */
  readonly mayPurge?: (
    principal: Principal,
    chat: { id: ChatId; ownerId: string },
  ) => boolean | Promise<boolean>;
  /** How long the records that erasure keeps stay, in milliseconds since the erasure. Default: for ever. */
  readonly recordRetentionMs?: number;
  /** Milliseconds between checkpoints of the heads of all chats, made with an audit key. Default 60,000. */
  readonly checkpointMs?: number;
  /** How long an owner may be silent before another instance takes its run. Default 10,000 ms. */
  readonly leaseMs?: number;
  /** Milliseconds between looks for runs to take over and questions to expire. Default 3,000. */
  readonly sweepMs?: number;
  /** How long a tool may ignore the abort signal of a stop. Default 5,000 ms. @source H5 */
  readonly stopGraceMs?: number;
  /** How long a finished turn can still be replayed. Default 60,000 ms. @source H2 */
  readonly replayMs?: number;
  /** Timers, and the time where the store has no `clock` of its own. Default: the machine's. */
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
  readonly rights: (question: Question) => QuestionRights & QuestionMarks;
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
  /** Present where the tool has `stepUp`. `needed`: this principal must sign in again before answering. */
  readonly stepUp?: StepUp & { readonly needed: boolean };
  /** The same call ran, or was approved, within the day before; where, only for whoever may see that chat. @source ADR 0021 */
  readonly repeatOf?: Repeat;
};

/** What holds of a question for everybody, as long as it is open. */
export type QuestionMarks = {
  readonly outdated?: true;
  /** Present while the tool is paused: nobody may approve then, whatever the rights. Denying is possible. */
  readonly paused?: { readonly reason: string };
};

/**
 * A question, and what this principal may do with it.
 *
 * `outdated`: the tool is not any more what the question was asked about. It can be denied; approved, it is asked again.
 */
export type QuestionView = Omit<Question, 'repeatOf'> & QuestionRights & QuestionMarks;

/** A question alone; `inputSchema` is the JSON Schema that edited arguments must fit, present with `mayEdit`. */
export type QuestionDetails = QuestionView & { readonly inputSchema?: unknown };

/**
 * A question that opened or settled, as it is now, and its place in the feed. Without a place it comes again, because a
 * tool was paused or unpaused.
 */
export type FedView = { readonly place?: string; readonly question: QuestionView };

/**
 * Questions as they open and settle, and the place that they follow. Places are for this principal alone, have one
 * length, and say nothing about others.
 */
export type ApprovalFeed = { readonly after: string; readonly changes: ReadableStream<FedView> };

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
export type Remembered = Omit<UsedGrant, 'key' | 'seal'>;

/** A chat's audit record: what `verifyAudit` checks. */
export type AuditRecord = {
  readonly entries: readonly AuditEntry[];
  /** The seal of the last entry; `''` when there is none. */
  readonly head: string;
  /** Events of the log that the record does not vouch for. Empty unless somebody wrote to the database. */
  readonly faults: readonly LogFault[];
};

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

/** What a person says of a call whose outcome is unknown. @source ADR 0019 */
export type OutcomeRequest = {
  readonly principal: Principal;
  readonly chatId: ChatId;
  readonly toolCallId: ToolCallId;
  /** `completed`: it took effect. `failed`: it was tried, without effect. `not-run`: it never ran. */
  readonly outcome: 'completed' | 'failed' | 'not-run';
  /** What was found, in words for people and for the model. At most 2,000 characters. */
  readonly note?: string;
  /** Of a completed call: its result, where that is known. */
  readonly output?: unknown;
};

/** An outcome that became known after it was recorded as unknown. `at`: epoch milliseconds. @source ADR 0018 */
export type ResolvedOutcome = {
  readonly toolCallId: ToolCallId;
  readonly toolName: string;
  readonly outcome: OutcomeRequest['outcome'];
  /** Who knew: the process that ran the call, its tool's `lookup`, or a person. */
  readonly source: 'late' | 'lookup' | 'person';
  readonly at: number;
  readonly by?: Person;
  readonly note?: string;
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
  /**
   * Ends the active run, or withdraws the open question. No error when nothing runs. Once it resolves, the run starts no
   * call and asks nothing, on any instance. @source H5
   */
  stop(request: InChat): Promise<void>;
  /** Ends one call, and lets its turn go on. False when nothing was ended, also for a call that runs on another instance. @source D21 */
  cancelCall(request: InChat & { readonly toolCallId: ToolCallId }): Promise<boolean>;
  /** Makes a call again that failed and may be tried again; `null` when the last turn has no such call. @source D22 */
  retryCall(
    request: InChat & { readonly toolCallId: ToolCallId; readonly until?: StreamEnd },
  ): Promise<FlowStream | null>;
  /**
   * Records what became of a call whose outcome is unknown, as a person found out who may answer such a question. The
   * first one stands. It reaches the model with the chat's next message.
   *
   * @throws CountersignError `not-found`, `forbidden`, `invalid-request` when the outcome is not unknown, `run-active`,
   *   or `already-answered` with the standing `resolution`
   * @source ADR 0019
   */
  resolveOutcome(request: OutcomeRequest): Promise<ResolvedOutcome>;
  /** The tools that the model is given. */
  tools(): Promise<readonly ToolListing[]>;
  chat(request: InChat): Promise<ChatView>;
  chats(request: By & { cursor?: string; limit?: number }): Promise<Page<ChatHead & { openCount: number }>>;
  rename(request: InChat & { title: string }): Promise<void>;
  /**
   * Lets no call of a tool start, on any instance: here from now on, elsewhere within a sweep. Open questions stay open
   * and can be denied, not approved. Calls that run go on. Provider-executed calls that were not asked about cannot be
   * held back. Recorded in the flow's log. Anybody who can call this can pause: check the right first.
   *
   * @param request.tool default: every tool
   * @param request.reason 1 to 2,000 characters; shown to people, and told to the model
   * @throws CountersignError `invalid-request` for a reason of another length
   * @source ADR 0023
   */
  pause(request: By & { readonly tool?: string; readonly reason: string }): Promise<void>;
  /**
   * Ends a pause of one tool, or, without `tool`, the pause of all; pauses of single tools stay. Nothing happens when
   * there is none. What was not run meanwhile is not run now: people try it again.
   *
   * @source ADR 0023
   */
  unpause(request: By & { readonly tool?: string }): Promise<void>;
  /** What is paused, the oldest first. */
  pauses(): Promise<readonly Pause[]>;
  /**
   * Erases chat, log and results. With an audit key the sealed record of its executed gated calls is kept, for
   * `recordRetentionMs`.
   *
   * @throws CountersignError `not-found`
   * @source contract H4; ADR 0023
   */
  erase(request: InChat): Promise<void>;
  /** The records that erasure kept, the newest erasure first: of chats that this principal could see. */
  keptRecords(
    request: By & { readonly chatId?: ChatId; readonly cursor?: string; readonly limit?: number },
  ): Promise<Page<ErasedChat>>;
  /**
   * Erases a chat and the record that erasure would keep; for an erased chat, the kept record. The flow's log says who
   * did it and why.
   *
   * @param request.reason 1 to 2,000 characters
   * @throws CountersignError `forbidden` unless `mayPurge` says `true`; `not-found`; `invalid-request`
   * @source ADR 0023
   */
  purge(request: InChat & { readonly reason: string }): Promise<void>;
  /**
   * The audit record of the whole store: of each chat, of erased ones, and of the flow itself. For operators: it asks
   * nobody's rights, so do not serve it to users. Empty without an audit key. `verifyAuditStore` and
   * `countersign verify-audit` check it.
   */
  auditExport(): AsyncIterable<AuditSection>;
  approvals(
    request: By & { state: QuestionState; cursor?: string; limit?: number },
  ): Promise<Page<QuestionView>>;
  approval(request: By & { approvalId: ApprovalId }): Promise<QuestionDetails>;
  /**
   * Opened and settled questions after a place in the feed, until cancelled.
   *
   * @param request.after a place that a feed of this principal gave, or `'0'`: from the oldest on. Default: from now on
   * @throws CountersignError `invalid-request` for any other place
   * @source H11
   */
  approvalFeed(request: By & { after?: string }): Promise<ApprovalFeed>;
  /** What this person had remembered, the newest first. @source ADR 0015 */
  remembered(request: By & { cursor?: string; limit?: number }): Promise<Page<Remembered>>;
  /** Takes back a remembered approval: from now on it applies to no call. `not-found` for one of somebody else. */
  forget(request: By & { grantId: GrantId }): Promise<void>;
  /** The chat's log, without what its tools keep secret. */
  timeline(request: InChat): Promise<readonly FlowEvent[]>;
  /**
   * What was asked, answered and run, sealed entry by entry. Empty without an audit key.
   *
   * @throws CountersignError `not-found`
   * @source ADR 0010, ADR 0023
   */
  audit(request: InChat): Promise<AuditRecord>;
  /**
   * Takes over runs whose owner is gone. Call at boot.
   *
   * @throws CountersignError `invalid-settings` when `auditKey` lacks the key that sealed what was written last
   */
  recover(): Promise<void>;
  /** Ends subscriptions and waits for local runs to reach a durable point. */
  close(): Promise<void>;
};
