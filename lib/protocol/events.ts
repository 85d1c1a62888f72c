import type { ModelMessage, ToolResultPart } from 'ai';
import type {
  AnswerRule,
  EarlierCall,
  Executor,
  Position,
  Repeat,
  Risk,
  WithdrawalReason,
} from './approval/approvals.ts';
import type { GrantMatch, GrantScope } from './approval/grants.ts';
import type { ApprovalId, GrantId, MessageId, RunId, ToolCallId } from './ids/ids.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { Person, RecordedPrincipal } from './principal.ts';
import type { Secrets } from './secrets.ts';
import type { LifecycleJson } from './wire/lifecycle.ts';
import type { ResolutionJson } from './wire/resolution.ts';

/**
 * A part of a user message. A file is a data URL or an https URL, checked when it arrives. A data part belongs to the page:
 * the model does not see it.
 */
export type UserPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: `data-${string}`; readonly id?: string; readonly data: JsonValue }
  | { readonly type: 'file'; readonly url: string; readonly mediaType: string; readonly filename?: string };

/**
 * When text and outcomes are shown: after the last answer (`final`), or as they happen (`progressive`).
 * @source T3, T11
 */
export type Release = 'final' | 'progressive';

/** The kind of a tool. @source C10 */
export type ToolKind = LifecycleJson['kind'];

/**
 * The gate's decision about a call. `automatic`: approved or denied by a rule, and shown. `ask`: a person
 * decides. `failed`: the gate threw or returned an unknown status, so the call does not run.
 */
export type Gate =
  | { readonly type: 'none' }
  | { readonly type: 'failed' }
  | {
      readonly type: 'automatic';
      readonly approvalId: ApprovalId;
      readonly approved: boolean;
      readonly reason?: string;
    }
  | { readonly type: 'ask'; readonly reason?: string; readonly providerApprovalId?: string };

/** Token counts of one model step; `undefined` where the provider reports none. */
export type Usage = { readonly inputTokens?: number; readonly outputTokens?: number };

/** A call's outcome as the model receives it: the SDK's tool result output. */
export type ModelOutput = ToolResultPart['output'];

/**
 * Options of a request that apply to its whole turn, in every run. They are in the log, so they survive a
 * restart.
 */
export type RunOptions = {
  /** The maximum number of model steps, regardless of `stopWhen`. */
  readonly stepLimit?: number;
  /** Calls run one after another. @source C8 */
  readonly oneAtATime?: boolean;
  /** Appended to the flow's instructions. */
  readonly instructions?: string;
};

type Delta = {
  textId: string;
  delta: string;
  /** How many calls of its step the model made before this block. On its first delta; absent for none. */
  afterCalls?: number;
};

type ToolEnd = { toolCallId: ToolCallId; modelOutput: ModelOutput; durationMs?: number };

/**
 * Why a run completed. `answered`: the model finished. `silent`: the model produced no text after its tools.
 * `stop-condition`: `stopWhen` ended the run. `step-limit`: the request's own limit ended it. `cut-off`: the
 * model's step ended early.
 */
export type CompletionReason = 'answered' | 'silent' | 'stop-condition' | 'step-limit' | 'cut-off';

/** The part of a removed section of the chat that still counts. Computed when the section is removed. */
export type Kept = {
  /**
   * The `seq` of the last `step-finished` that the model still sees. Everything before it is kept as well.
   */
  readonly through: number;
  /** The calls that ran. The message of the new turn shows them. */
  readonly toolCallIds: readonly ToolCallId[];
};

/** A source that the model cited, or a file that it generated. */
export type Source =
  | { type: 'source-url'; sourceId: string; url: string; title?: string }
  | { type: 'source-document'; sourceId: string; mediaType: string; title: string; filename?: string }
  | { type: 'file' | 'reasoning-file'; url: string; mediaType: string };

/** The content of an event of a run, by type. The log contains nothing else. @source ADR 0001 */
export type EventBody =
  | {
      type: 'message-received';
      messageId: MessageId;
      parts: readonly UserPart[];
      /** The page's own facts about the message. The model does not see them. */
      metadata?: JsonValue;
      by: Person;
    }
  | {
      type: 'run-started';
      messageId: MessageId;
      release: Release;
      by: Person;
      /** Present on the run that starts a turn. */
      options?: RunOptions;
      /**
       * Present on the run that starts a turn, if the request had call options: as they were given, before
       * `callOptionsSchema` parsed them. People do not see them.
       */
      callOptions?: JsonValue;
      /**
       * Present on the run that starts a turn: everything known about its asker at that time. Tools receive
       * it as their principal.
       */
      asker?: RecordedPrincipal;
      /**
       * Present on the run that starts a turn after a cut: the kept calls, and the steps that it continues.
       */
      kept?: {
        readonly toolCallIds: readonly ToolCallId[];
        /** The recorded events of these calls and steps. */
        readonly events: readonly FlowEvent[];
      };
      /** Metadata of the turn's message. Only on the run that starts a turn. */
      metadata?: JsonObject;
    }
  | { type: 'step-started'; step: number }
  | ({ type: 'text-delta' } & Delta)
  | ({ type: 'reasoning-delta' } & Delta)
  | { type: 'source-added'; source: Source }
  | {
      type: 'step-finished';
      step: number;
      /** The SDK's `response.messages`, without approval parts and tool messages. */
      messages: readonly ModelMessage[];
      finishReason: string;
      usage: Usage;
    }
  | {
      type: 'tool-requested';
      toolCallId: ToolCallId;
      toolName: string;
      /**
       * The arguments as the model wrote them (`inputForm: 'raw'`), or as the schema parsed them (older
       * events).
       */
      input: JsonValue;
      inputForm?: 'raw';
      /** The arguments as the schema parsed them. Present when they differ from `input`. */
      runsAs?: JsonValue;
      /** The call that this one replaces. The model sees one call, under this id. */
      replaces?: ToolCallId;
      executor: Executor;
      kind: ToolKind;
      gate: Gate;
      title?: string;
      /** What the call will do, in words. Absent when the input does not match the schema. */
      description?: string;
      dynamic?: boolean;
      /** The input does not match the tool's schema. A `tool-failed` event follows. */
      invalid?: boolean;
      /** The provider returns the result with a later model call. */
      deferred?: boolean;
      /** The parts of this call that must not be shown. */
      secrets?: Secrets;
    }
  | {
      type: 'approval-requested';
      approvalId: ApprovalId;
      toolCallId: ToolCallId;
      description: string;
      risk?: Risk;
      position?: Position;
      deadline?: number;
      askedBy: Person;
      /**
       * A digest of what the question is about: the tool's definition, version, risk, title and description.
       */
      digest?: string;
      /** The arguments as the schema parses them. Present when they differ from `input`. */
      runsAs?: JsonValue;
      /** The withdrawn question that this one replaces. */
      replaces?: ApprovalId;
      /** The same call ran or was approved recently. */
      repeatOf?: Repeat;
      /** Calls of this turn that had failed by then. */
      earlier?: readonly EarlierCall[];
    }
  | {
      type: 'approval-answered';
      approvalId: ApprovalId;
      toolCallId: ToolCallId;
      approved: boolean;
      reason?: string;
      /** The person's edited arguments. */
      input?: JsonValue;
      /** The edited arguments as the schema parsed them. Present when they differ from `input`. */
      runsAs?: JsonValue;
      by: Person;
      via: string;
      /**
       * For the audit record: the person's role and session, and how the session was authenticated. Present
       * when there is an audit record.
       */
      approver?: {
        role?: string;
        sessionId?: string;
        /** ISO 8601, exactly as it appears in the sealed entry. */
        authenticatedAt?: string;
        authenticationMethods?: readonly string[];
      };
      /** For the audit record: the rule that allowed this person to answer. */
      rule?: AnswerRule;
      /** The approval that the person asked to remember. */
      remembered?: { grantId: GrantId; scope: GrantScope; match: GrantMatch; key: string };
    }
  | {
      /** A remembered approval replaced the question. */
      type: 'approval-granted';
      approvalId: ApprovalId;
      toolCallId: ToolCallId;
      grantId: GrantId;
      /** The person who gave the remembered approval. */
      by: Person;
      /** The digest that the question would have had, as in `approval-requested`. */
      digest?: string;
    }
  | { type: 'approval-withdrawn'; approvalId: ApprovalId; toolCallId: ToolCallId; reason: WithdrawalReason }
  | {
      type: 'tool-started';
      toolCallId: ToolCallId;
      /** The arguments as written by the model, or as edited by a person. */
      input: JsonValue;
      /** The arguments that the tool receives. Present when they differ from `input`. */
      runsAs?: JsonValue;
    }
  | { type: 'tool-progressed'; toolCallId: ToolCallId; summary?: string; output?: JsonValue }
  | { type: 'tool-retrying'; toolCallId: ToolCallId; error: string; delayMs: number }
  | ({ type: 'tool-completed'; output: JsonValue; summary: string; resultCount: number } & ToolEnd)
  | ({
      type: 'tool-failed';
      error: string;
      retryable: boolean;
      wasRetried: boolean;
      /** `unknown`: the call may have had its effect. Absent in older events. */
      outcome?: 'failed' | 'unknown';
    } & ToolEnd)
  | ({
      type: 'tool-denied';
      reason?: string;
      /** Present when the call was not denied by a person: its question was withdrawn. */
      withdrawn?: WithdrawalReason;
    } & ToolEnd)
  | ({ type: 'tool-cancelled'; reason: string } & ToolEnd)
  | {
      type: 'history-cut';
      messageId: MessageId;
      /** Absent when no call in the removed section had run, and in older events. */
      kept?: Kept;
    }
  | { type: 'run-suspended'; toolCallId: ToolCallId }
  | {
      type: 'run-completed';
      finishReason: string;
      /** Absent in older events. */
      why?: CompletionReason;
      /** Metadata that the message gets at its end. It is merged with that of the start. */
      metadata?: JsonObject;
    }
  | { type: 'run-failed'; error: string }
  | { type: 'run-cancelled'; reason: 'stopped' | 'superseded' };

/** Events of a chat that belong to no run. An event with a run's id never follows the end of that run. */
export type ChatEventBody =
  | {
      /** Adds a digest to an older question that was asked without one. */
      type: 'approval-bound';
      approvalId: ApprovalId;
      toolCallId: ToolCallId;
      digest: string;
    }
  | {
      /** The outcome of a call that was recorded as unknown. */
      type: 'outcome-resolved';
      toolCallId: ToolCallId;
      /**
       * `late`: reported by the process that ran the call. `lookup`: reported by the tool. `person`: reported
       * by a person who may answer.
       */
      source: ResolutionJson['source'];
      outcome: ResolutionJson['outcome'];
      /** Present when a person reported it. */
      by?: Person;
      note?: string;
      output?: JsonValue;
      error?: string;
      summary?: string;
      resultCount?: number;
      modelOutput: ModelOutput;
    };

/** `seq` counts from 1 within a chat, without gaps. `at` is in epoch milliseconds. */
export type EventHead = {
  readonly seq: number;
  readonly at: number;
  /** Chains the audit entry of this event to the previous one. Present when the flow has an audit key. */
  readonly seal?: string;
};

/** One entry of a chat's append-only log. */
export type FlowEvent = RunEvent | ChatEvent;

/** An event of a run. */
export type RunEvent = EventHead & EventBody & { readonly runId: RunId };

/** An event of the chat itself. */
export type ChatEvent = EventHead & ChatEventBody & { readonly runId?: undefined };

/** A `FlowEvent` of one type. */
export type EventOf<Type extends FlowEvent['type']> = Extract<FlowEvent, { type: Type }>;

/** Events that end a run. Each run has exactly one. */
export type RunEnd = EventOf<'run-suspended' | 'run-completed' | 'run-failed' | 'run-cancelled'>;

/** True for the event that ends its run. */
export function isRunEnd(event: FlowEvent): event is RunEnd {
  return (
    event.type === 'run-suspended' ||
    event.type === 'run-completed' ||
    event.type === 'run-failed' ||
    event.type === 'run-cancelled'
  );
}

/**
 * The unique key that an event claims. At most one event of a chat may claim a key, so the first answer wins
 * and a call runs at most once, even with concurrent writers.
 *
 * @source H10, ADR 0019
 */
export function claimOf(event: EventBody | ChatEventBody): string | undefined {
  switch (event.type) {
    case 'approval-answered':
    case 'approval-withdrawn':
    case 'approval-granted':
      return `settled:${event.approvalId}`;
    case 'tool-started':
      return `started:${event.toolCallId}`;
    case 'tool-completed':
    case 'tool-failed':
    case 'tool-denied':
    case 'tool-cancelled':
      return `ended:${event.toolCallId}`;
    case 'outcome-resolved':
      // A report by the process that ran the call outranks what others concluded in the meantime.
      return event.source === 'late' ? `reported:${event.toolCallId}` : `resolved:${event.toolCallId}`;
    default:
      return undefined;
  }
}
