import type {
  InferToolInput,
  InferToolOutput,
  Output,
  streamText,
  TextStreamPart,
  ToolLoopAgentSettings,
  ToolSet,
} from 'ai';
import type { AuditKey } from '../log/seal/audit-keys.ts';
import type { FlowStore } from '../log/store/index.ts';
import type { ChatId, Clock, Logger, Principal, Release } from '../protocol/index.ts';
import type { ApproverRule } from './approver-rule.ts';
import type { Context, DecidingSettings, PrepareSettings, ToolsContext } from './call/call-settings.ts';
import type { Callbacks } from './call/callbacks.ts';
import type { ModelSetting } from './call/model-settings.ts';
import type { PluginDeclaration } from './plugin/plugin-declaration.ts';
import type { ToolDetails } from './tools/tool-settings.ts';

export type { ApproverRule, RuledQuestion } from './approver-rule.ts';

type StepSettings<Tools extends ToolSet> = Parameters<typeof streamText<Tools>>[0];

/** Settings that are passed to the SDK unchanged, under its own names. */
type PassedOn =
  | ModelSetting
  | 'repairToolCall'
  | 'allowSystemInMessages'
  | 'toolOrder'
  | 'toolCallConcurrency'
  | 'timeout'
  | 'streamRetries'
  | 'experimental_refineToolInput'
  | 'experimental_transform'
  | 'experimental_download';

/** What `messageMetadata` is called with: the SDK's parts for the start and the end of a message. */
export type MetadataPart = Extract<TextStreamPart<ToolSet>, { type: 'start' | 'finish' }>;

/** Settings that are the SDK's, under its own names. */
type SdkSettings<Tools extends ToolSet> = Pick<StepSettings<Tools>, PassedOn> & {
  readonly include?: ToolLoopAgentSettings['include'];
  /**
   * Structured output. The model's text stays text, and streams as such: read it with `output.parseCompleteOutput`, or
   * with `parsePartialJson` of `ai` while it streams.
   */
  readonly output?: Output.Output;
};

/** The settings that decide what a turn does. `prepareCall` may return others for a run. */
type TurnSettings<Tools extends ToolSet, RuntimeContext extends Context> = SdkSettings<Tools> &
  DecidingSettings<Tools, RuntimeContext> &
  ToolsContext<Tools> & { readonly tools?: Tools };

/**
 * The settings of `createApprovalFlow`: ours, and those of the SDK's `ToolLoopAgent` and `streamText`, under their own
 * names. `docs/compatibility.md` says for each how it works here.
 *
 * @source ADR 0029
 */
export type FlowSettings<
  Tools extends ToolSet = ToolSet,
  RuntimeContext extends Context = Context,
  CallOptions = unknown,
> = TurnSettings<Tools, RuntimeContext> &
  PrepareSettings<Tools, RuntimeContext, TurnSettings<Tools, RuntimeContext>, CallOptions> &
  Callbacks<Tools> &
  OwnSettings<Tools>;

/** A rule about a chat. */
export type ChatRule = (
  principal: Principal,
  chat: { id: ChatId; ownerId: string },
) => boolean | Promise<boolean>;

type OwnSettings<Tools extends ToolSet> = {
  readonly store: FlowStore;
  /** The name of this agent, for your own use: `flow.id`. */
  readonly id?: string;
  /**
   * If true, settings may name tools that are not in `tools`, for tools that are added later. Default:
   * settings for unknown tools are refused, because a misspelled name would leave its tool without a gate.
   */
  readonly dynamicTools?: boolean;
  readonly toolDetails?: {
    readonly [Name in keyof Tools]?: ToolDetails<InferToolInput<Tools[Name]>, InferToolOutput<Tools[Name]>>;
  };
  /**
   * Metadata of the assistant's message, as in the SDK's `toUIMessageStream`. It is called once with the `start` part,
   * when a turn begins, and once with the `finish` part, when the turn ends with an answer, whose `totalUsage` is that of
   * all model calls of the turn. The results are recorded with the turn, merged, and part of the stored chat. A turn that
   * fails or is stopped keeps those of the start.
   *
   * @returns an object that JSON can hold, or `undefined` for nothing. If it throws or returns anything else,
   *   an error is logged and the turn continues
   * @example ({ part }) => (part.type === 'start' ? { createdAt: Date.now() } : { tokens: part.totalUsage.totalTokens })
   */
  readonly messageMetadata?: (options: { readonly part: MetadataPart }) => object | undefined;
  /**
   * When text and outcomes are sent. If none of the flow's tools can ask, they are always sent as they
   * happen. Default `'final'`.
   *
   * @source T3, T10, T11, T17
   */
  readonly release?: Release;
  /**
   * One automatic retry after a transient failure of an `idempotent` tool, after `delayMs` (default 1,000).
   * `false`: no retry.
   *
   * @source A10
   */
  readonly retry?: false | { readonly delayMs?: number };
  /**
   * The most bytes of a tool's result, as JSON in UTF-8. A longer result is not kept: its call has completed without an output,
   * and people and the model read why. Return a part of it, a stream (`largeResult`), or a reference such as an id or an
   * address. Default 4 MiB.
   *
   * @source A6, ADR 0042
   */
  readonly maxOutputBytes?: number;
  /**
   * Who may read a chat, besides those who may change it: its messages, drafts, results, timeline and record. Only `true`, returned
   * directly or by a promise, counts as permission. Default: no one else.
   *
   * @source H4, ADR 0022
   */
  readonly mayRead?: ChatRule;
  /**
   * Who may change a chat, and so also read it: send messages, edit, regenerate, give outputs of the client's tools, write data parts,
   * stop, cancel and retry calls, rename, erase. Only `true` counts as permission. Default: its owner.
   *
   * @source H4, H5, ADR 0022
   */
  readonly mayChange?: ChatRule;
  /** Who may answer a question. Default: the tool's `approvers`, or else the chat's owner. */
  readonly mayAnswer?: ApproverRule;
  /**
   * Who may see a question, in the inbox and its feed, without the right to answer it. They see neither its chat nor why
   * it is asked. Called like `mayAnswer`, and only `true` counts as permission. Default: nobody, besides those who may
   * answer the question or see its chat.
   *
   * @source ADR 0043
   */
  readonly mayWatch?: ApproverRule;
  /**
   * Principals whose ids have changed: maps a former id to the current one. A person recorded under a former
   * id counts as the principal with the current one, for rules, tools and remembered approvals. `recover`
   * moves the chats of a former id to the current one. The log, and with it the audit record, stays
   * unchanged. Both ids must belong to the same person.
   *
   * @example { 'key:ben': 'user:ben' }
   * @source ADR 0012
   */
  readonly formerIds?: Readonly<Record<string, string>>;
  /** How long a question stays open before it counts as denied. Default: no limit. @source H12 */
  readonly deadlineMs?: number;
  /**
   * How long an unused approval stays valid, for example while the process is down, in milliseconds. After
   * that the person is asked again. Default: no limit.
   *
   * @source ADR 0020
   */
  readonly approvalValidForMs?: number;
  /** Erases chats that have been unchanged for this long, including waiting ones. Default: never. */
  readonly retentionMs?: number;
  /**
   * Seals the audit record: a string of at least 16 characters, or a key ring with ids. Keep it out of the
   * database. With it, no call runs on an approval that the record does not prove. Default: no seals, no
   * record, no such check.
   *
   * @source ADR 0010, ADR 0023
   */
  readonly auditKey?: AuditKey;
  /**
   * Who may purge the record that erasure keeps of a chat's executed calls. Only `true`, returned directly or
   * by a promise, counts as permission. Default: nobody.
   */
  readonly mayPurge?: (
    principal: Principal,
    chat: { id: ChatId; ownerId: string },
  ) => boolean | Promise<boolean>;
  /**
   * Who may see what needs an operator (`flow.operations.read`) across all chats. Only `true`, returned directly
   * or by a promise, counts as permission. Default: nobody.
   */
  readonly mayOperate?: (principal: Principal) => boolean | Promise<boolean>;
  /** How long the records that erasure keeps are stored, in milliseconds from the erasure. Default: no limit. */
  readonly recordRetentionMs?: number;
  /** Milliseconds between checkpoints of the heads of all chats. Checkpoints need an audit key. Default 60,000. */
  readonly checkpointMs?: number;
  /** How long a run's owner may fail to renew its lease before another instance takes over. Default 10,000 ms. */
  readonly leaseMs?: number;
  /** Milliseconds between checks for runs to take over and questions to expire. Default 3,000. */
  readonly sweepMs?: number;
  /** How long a tool may ignore the abort signal of a stop. Default 5,000 ms. @source H5 */
  readonly stopGraceMs?: number;
  /**
   * Keeps the process alive while a run works: for platforms that freeze it when a response is complete. Each
   * run calls it once, when it begins, in the context of its request. The promise resolves when the run and
   * its callbacks have ended, and never rejects. If it throws, a warning is logged. Default: none; on a
   * server, the process stays alive.
   *
   * @example (work) => after(work) // with `after` of `next/server`
   * @source ADR 0034
   */
  readonly waitUntil?: (work: Promise<void>) => void;
  /** How long a finished turn can be replayed. Default 60,000 ms. @source H2 */
  readonly replayMs?: number;
  /** Timers, and the time if the store has no `clock` of its own. Default: the system clock. */
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** What is built on the kernel. Each adds its methods to the flow, and its endpoints to the server. @source ADR 0056 */
  readonly plugins?: readonly PluginDeclaration<FlowSettings>[];
  /** Returns a URL-safe string with at least 128 bits of randomness. */
  readonly random?: () => string;
};
