import type { ApprovalId, ChatId, ToolCallId } from '../ids/ids.ts';
import type { LifecycleJson } from '../wire/chat/lifecycle.ts';
import type { Decoded } from '../wire/codec.ts';
import type { NewAnswerJson } from '../wire/new-answer.ts';
import type { Preview } from '../wire/preview.ts';
import type {
  AskedFields,
  EarlierJson,
  QuestionFields,
  QuestionJson,
  repeatSchema,
} from '../wire/question.ts';

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

/** An earlier call with the same tool and arguments. Its chat is omitted for people who may not see that chat. */
export type Repeat = Omit<Decoded<typeof repeatSchema>, 'chatId' | 'toolCallId'> & {
  readonly chatId?: ChatId;
  readonly toolCallId?: ToolCallId;
  /** The owner of that chat. Never shown. */
  readonly ownerId?: string;
};

/** The asker's earlier calls about the same. @source ADR 0040 */
export type SubjectHistory = NonNullable<AskedFields['history']>;

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
export type CallProcess = {
  /** Whose lease the run continues under. */
  readonly owner: string;
  /** As the process announces itself to the others. */
  readonly instance: string;
};

/**
 * What happens to a question at its deadline: it is denied, it ends without an answer, or it is asked again. No value approves.
 *
 * @source ADR 0048
 */
export type AtDeadline = 'deny' | 'withdraw' | 'ask-again';

/**
 * The rule that allowed a person to answer: the tool's `approvers`, the flow's `mayAnswer`, or both. Without
 * any rule: `owner`, because the person owns the chat. `plugin:<name>`: only a rule that this plugin adds did.
 */
export type AnswerRule = 'approvers' | 'flow' | 'both' | 'owner' | `plugin:${string}`;

/**
 * A named choice of a question, and what it would run. `input`: the arguments as the tool's author would have them written;
 * absent if the option approves the proposed ones. `runsAs`: as the schema parses them, if that differs.
 *
 * @source ADR 0050
 */
export type QuestionOption = NonNullable<QuestionFields['options']>[number];

/** A person's answer, redacted. `input` is present when the arguments were edited. */
export type Answer = NonNullable<QuestionFields['answer']>;

/** A person's answer that has left its question open. @source ADR 0056 */
export type RecordedAnswer = NonNullable<QuestionFields['answers']>[number];

/** One question, as stored in the log and shown in the inbox. Arguments are redacted. Times are epoch milliseconds. */
export type Question = Omit<QuestionFields, 'id' | 'chatId' | 'toolCallId' | 'replaces' | 'repeatOf'> & {
  readonly id: ApprovalId;
  readonly chatId: ChatId;
  readonly ownerId: string;
  readonly toolCallId: ToolCallId;
  readonly executor: Executor;
  /** The withdrawn question that this one replaces. */
  readonly replaces?: ApprovalId;
  /** The same call ran or was approved within the previous day. */
  readonly repeatOf?: Repeat;
  /** Present if a running call asks. @source ADR 0037 */
  readonly waitsIn?: CallProcess;
};

/** An incoming answer, before it is checked. @source H1, H10 */
export type AnswerRequest = NewAnswerJson & {
  readonly approvalId: ApprovalId;
  /** The arguments that the client displayed (full-history form only). They must equal the arguments of the question. */
  readonly shownInput?: unknown;
};

/** The outcome of a client-executed tool, as the client reports it. @source H1 */
export type OutputRequest = { readonly toolCallId: ToolCallId } & (
  | { readonly output: unknown; readonly errorText?: undefined }
  | { readonly errorText: string; readonly output?: undefined }
);
