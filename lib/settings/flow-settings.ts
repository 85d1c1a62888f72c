import type { InferToolInput, InferToolOutput, streamText, ToolSet } from 'ai';
import type { AuditKey } from '../log/seal/audit-keys.ts';
import type { FlowStore } from '../log/store-port.ts';
import type {
  ChatId,
  Clock,
  Logger,
  Person,
  Principal,
  Question,
  Release,
  Risk,
  Secrets,
  ToolKind,
} from '../protocol/index.ts';

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
