import type { ApprovalId, ChatId, ToolCallId } from '../ids/ids.ts';
import type { JsonValue } from '../json.ts';
import type { Person } from '../principal.ts';
import type { LifecycleJson } from '../wire/chat/lifecycle.ts';
import type { NewAnswerJson } from '../wire/new-answer.ts';
import type { Preview } from '../wire/preview.ts';
import type { EarlierJson, HistoryJson, QuestionJson, RepeatJson } from '../wire/question.ts';
import type { EscalationState } from './escalation.ts';

/** Who executes a call. */
export type Executor = 'server' | 'client' | 'provider';

/** How much harm a call could do, as judged by the tool's author. */
export type Risk = NonNullable<QuestionJson['risk']>;

/** The state of a question. Every state but `open` is final. @source S4 */
export type QuestionState = QuestionJson['state'];

/**
 * Why a question was withdrawn without an answer. After `tool-changed` the person is asked again, about the
 * current tool. After `asked-again`, because nobody answered in time, as after `withdrawn`.
 */
export type WithdrawalReason = NonNullable<LifecycleJson['withdrawn']>;

/** An earlier call with the same tool and arguments. */
export type Repeat = {
  /** When it was approved or started, in epoch milliseconds. */
  readonly at: number;
  /** Its state when the question was asked. */
  readonly outcome: RepeatJson['outcome'];
  /** The chat of that call. Omitted for people who may not see that chat. */
  readonly chatId?: ChatId;
  readonly toolCallId?: ToolCallId;
  /** The owner of that chat. Never shown. */
  readonly ownerId?: string;
};

/** The asker's earlier calls about the same. Times are epoch milliseconds. @source ADR 0040 */
export type SubjectHistory = Omit<HistoryJson, 'lastAt' | 'denied'> & {
  readonly lastAt?: number;
  /** The last denial. */
  readonly denied?: { readonly at: number; readonly by: Person };
};

/** A call of the same turn that failed, or whose outcome is unknown. Its error has no secrets. */
export type EarlierCall = EarlierJson;

/**
 * The effect that a call would have, redacted, as it is recorded. `digest` is that of everything else. `required`: approvals
 * are refused until a preview succeeds.
 *
 * @source ADR 0040
 */
export type RecordedPreview =
  | (Preview & { readonly state: 'made'; readonly digest: string })
  | { readonly state: 'failed'; readonly required?: true };

/** The process that runs the call which asks. The question lives as long as this process. @source ADR 0037 */
export type Holder = {
  /** Whose lease the run continues under. */
  readonly owner: string;
  /** As the process announces itself to the others. */
  readonly instance: string;
};

/**
 * The rule that allowed a person to answer: the tool's `approvers`, the flow's `mayAnswer`, or both. Without
 * any rule: `owner`, because the person owns the chat. `escalation`: only a recorded step of the escalation did.
 */
export type AnswerRule = 'approvers' | 'flow' | 'both' | 'owner' | 'escalation';

/**
 * A named choice of a question, and what it would run. `input`: the arguments as the tool's author would have them written;
 * absent if the option approves the proposed ones. `runsAs`: as the schema parses them, if that differs.
 *
 * @source ADR 0050
 */
export type QuestionOption = {
  readonly id: string;
  readonly label: string;
  readonly then: 'approve' | 'deny';
  readonly input?: JsonValue;
  readonly runsAs?: JsonValue;
  /** What the call will do with `input`, in one sentence. */
  readonly description?: string;
  /** The reason that the model gets, unless the person writes one. */
  readonly reason?: string;
};

/** A person's answer. `input` is present when the arguments were edited. */
export type Answer = {
  readonly approved: boolean;
  readonly reason?: string;
  /** The option that was chosen. @source ADR 0050 */
  readonly option?: Pick<QuestionOption, 'id' | 'label'>;
  /** What the person filled in, redacted. @source ADR 0050 */
  readonly value?: JsonValue;
  readonly input?: JsonValue;
  /** The parsed arguments that the tool receives. Present when the schema changes `input`. */
  readonly runsAs?: JsonValue;
  readonly by: Person;
  /** Whose right it was, if it was delegated to `by`. @source ADR 0049 */
  readonly onBehalfOf?: Person;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The entry point that the answer came through: `sse`, `bidi`, `http`, `link`, or a dialect's name. */
  readonly via: string;
};

/**
 * How many people must approve a call, and how many must deny it: `denials` of them settle the question, by default one.
 *
 * @source ADR 0047
 */
export type RequiredApprovals = { readonly count: number; readonly denials?: number };

/** One person's answer to a question that needs several. `at`: epoch milliseconds. @source ADR 0047 */
export type Vote = Pick<Answer, 'approved' | 'reason' | 'by' | 'at' | 'via'> & {
  /** Whose right it was, if `by` acted for somebody else. */
  readonly onBehalfOf?: Person;
};

/** The answers to a question that needs several. @source ADR 0047 */
export type Votes = {
  /** How many people must approve. */
  readonly needed: number;
  /** How many denials settle the question. Absent if one does. */
  readonly denials?: number;
  /** How many votes the question had that this one replaces. They no longer count. Absent if it had none. */
  readonly dropped?: number;
  /** In their order, at most one of each person. The last one settled the question, if it is answered. */
  readonly cast: readonly Vote[];
};

/** One question, as stored in the log and shown in the inbox. Times are epoch milliseconds. */
export type Question = {
  readonly id: ApprovalId;
  readonly chatId: ChatId;
  readonly ownerId: string;
  readonly toolCallId: ToolCallId;
  readonly toolName: string;
  /** The tool's display name. */
  readonly title?: string;
  readonly executor: Executor;
  /** The arguments as the model wrote them, redacted. */
  readonly input: JsonValue;
  /** The parsed arguments that the tool receives, redacted. Present when the schema changes `input`. */
  readonly runsAs?: JsonValue;
  /** What the call will do, in one sentence. */
  readonly description: string;
  readonly risk?: Risk;
  /** Why the risk is what it is, in a few words. */
  readonly riskReason?: string;
  /**
   * The asker's earlier calls with the same subject. Present if the tool has a `subject`.
   *
   * @source ADR 0040
   */
  readonly history?: SubjectHistory;
  /** The effect that the call would have, as of `at`. Present if the tool has a `preview`. @source ADR 0040 */
  readonly preview?: RecordedPreview & { readonly at: number };
  readonly askedBy: Person;
  readonly requestedAt: number;
  readonly deadline?: number;
  /** Present if the question is escalated while nobody answers it. @source ADR 0048 */
  readonly escalation?: EscalationState;
  readonly position?: Position;
  /**
   * A digest of the tool that the question is about. Absent for a call that the model's provider runs.
   * @source ADR 0020
   */
  readonly digest?: string;
  /** The withdrawn question that this one replaces. */
  readonly replaces?: ApprovalId;
  /** The same call ran or was approved within the previous day. */
  readonly repeatOf?: Repeat;
  /** Calls of the same turn that failed before, oldest first. Their results may be withheld from the chat. */
  readonly earlier?: readonly EarlierCall[];
  /** Present if a running call asks. @source ADR 0037 */
  readonly heldBy?: Holder;
  /** The choices, redacted. @source ADR 0050 */
  readonly options?: readonly QuestionOption[];
  /** The form of a running call must be filled in: an approval without `input` is refused. @source ADR 0037 */
  readonly needsInput?: true;
  /** Present if the question needs the answers of several people. @source ADR 0047 */
  readonly votes?: Votes;
  /** The person who changed the arguments of the question that this one replaces, and voted for it. @source ADR 0047 */
  readonly editedBy?: Person;
  /** The model asks a person: an approval without `value` is refused. @source ADR 0050 */
  readonly needsValue?: true;
  readonly state: QuestionState;
  readonly answer?: Answer;
};

/** Position in the queue of one model step, counted from 1. `of` is omitted when the total is unknown. */
export type Position = { readonly index: number; readonly of?: number };

/** An incoming answer, before it is checked. @source H1, H10 */
export type AnswerRequest = NewAnswerJson & {
  readonly approvalId: ApprovalId;
  /**
   * The arguments that the client displayed (full-history form only). They must equal the arguments of the
   * question.
   */
  readonly shownInput?: unknown;
};

/** The outcome of a client-executed tool, as the client reports it. @source H1 */
export type OutputRequest = { readonly toolCallId: ToolCallId } & (
  | { readonly output: unknown; readonly errorText?: undefined }
  | { readonly errorText: string; readonly output?: undefined }
);
