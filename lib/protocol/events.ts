import type { ModelMessage, ToolResultPart } from 'ai';
import type { AnswerRule, Executor, Position, Repeat, Risk, WithdrawalReason } from './approvals.ts';
import type { GrantMatch, GrantScope } from './grants.ts';
import type { ApprovalId, GrantId, MessageId, RunId, ToolCallId } from './ids.ts';
import type { JsonValue } from './json.ts';
import type { Person, RecordedPrincipal } from './principal.ts';
import type { Secrets } from './secrets.ts';

/** A part of a user message. Files are data or https URLs, checked at the edge. */
export type UserPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'file'; readonly url: string; readonly mediaType: string; readonly filename?: string };

/** When text and outcomes reach the person: after the last answer, or as they happen. @source T3, T11 */
export type Release = 'final' | 'progressive';

/** Family of a tool, decided by dispatch. @source contract C10 */
export type ToolKind = 'function' | 'mcp' | 'file_search' | 'web_search';

/**
 * What the gate said of a call. `automatic` pairs are shown, `ask` waits for a person. `failed`: it threw, or gave no
 * status that is known, so the call does not run.
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

/** Tokens of one model step; `undefined` where the provider did not say. */
export type Usage = { readonly inputTokens?: number; readonly outputTokens?: number };

/** What the model is told of a call's end: the SDK's tool result output. */
export type ModelOutput = ToolResultPart['output'];

/** What a request asks of its whole turn, over all its runs. In the log, so that a restart keeps to it. */
export type RunOptions = {
  /** Model steps at most, whatever `stopWhen` allows. */
  readonly stepLimit?: number;
  /** Calls run strictly one after the other. @source contract C8 */
  readonly oneAtATime?: boolean;
  /** Added to the flow's own instructions. */
  readonly instructions?: string;
};

type ToolEnd = { toolCallId: ToolCallId; modelOutput: ModelOutput; durationMs?: number };

/**
 * Why a run came to its end. `answered`: the model had nothing more to do. `silent`: it said nothing after its tools.
 * `stop-condition`: `stopWhen`. `step-limit`: the request's own. `cut-off`: the model's step ended early.
 */
export type CompletionReason = 'answered' | 'silent' | 'stop-condition' | 'step-limit' | 'cut-off';

/** What of a part of the chat that is cut away still counts. Decided at the cut. */
export type Kept = {
  /** `seq` of the last `step-finished` that the model still sees, with all that comes before it. */
  readonly through: number;
  /** The calls that ran: the message of the turn that begins now shows them. */
  readonly toolCallIds: readonly ToolCallId[];
};

/** A reference the model named, or a file it made. */
export type Source =
  | { type: 'source-url'; sourceId: string; url: string; title?: string }
  | { type: 'source-document'; sourceId: string; mediaType: string; title: string; filename?: string }
  | { type: 'file' | 'reasoning-file'; url: string; mediaType: string };

/** One event's content, by type: of a run. What the log may hold, and nothing else. @source DESIGN, "The idea" */
export type EventBody =
  | { type: 'message-received'; messageId: MessageId; parts: readonly UserPart[]; by: Person }
  | {
      type: 'run-started';
      messageId: MessageId;
      release: Release;
      by: Person;
      /** Of the run that begins a turn. */
      options?: RunOptions;
      /** Of the run that begins a turn: everything known of its asker at that time. Tools get it as their principal. */
      asker?: RecordedPrincipal;
      /** Of the run that begins a turn after a cut: the kept calls, and the steps that it continues. */
      kept?: {
        readonly toolCallIds: readonly ToolCallId[];
        /** Of these calls and steps, as they were recorded. */
        readonly events: readonly FlowEvent[];
      };
    }
  | { type: 'step-started'; step: number }
  | { type: 'text-delta'; textId: string; delta: string }
  | { type: 'reasoning-delta'; textId: string; delta: string }
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
      /** The arguments as the model gave them (`inputForm: 'raw'`), or as the schema parsed them (older events). */
      input: JsonValue;
      inputForm?: 'raw';
      /** The arguments as the schema parsed them, where they differ from those given. */
      runsAs?: JsonValue;
      /** The call that this one replaces: the model sees one call, under this id. */
      replaces?: ToolCallId;
      executor: Executor;
      kind: ToolKind;
      gate: Gate;
      title?: string;
      /** What is about to happen, in words; absent for input that does not fit. */
      description?: string;
      dynamic?: boolean;
      /** The input did not fit the tool's schema; a `tool-failed` follows. */
      invalid?: boolean;
      /** The provider gives the result with a later model call. */
      deferred?: boolean;
      /** What of this call must not be shown. */
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
      /** What the question is about: a digest of the tool's definition, its version, risk, title and sentence. */
      digest?: string;
      /** The arguments as the schema parses them, where they differ from those given. */
      runsAs?: JsonValue;
      /** The question that was withdrawn for this one. */
      replaces?: ApprovalId;
      /** The same call ran, or was approved, a short time ago. */
      repeatOf?: Repeat;
    }
  | {
      type: 'approval-answered';
      approvalId: ApprovalId;
      toolCallId: ToolCallId;
      approved: boolean;
      reason?: string;
      /** Arguments that the person gave in place of the model's. */
      input?: JsonValue;
      /** Those as the schema parsed them, where they differ. */
      runsAs?: JsonValue;
      by: Person;
      via: string;
      /** For the audit record: in which role and session the person answered, and how the session was proved. Present when there is such a record. */
      approver?: {
        role?: string;
        sessionId?: string;
        /** ISO 8601: it stands in the sealed entry as it stands here. */
        authenticatedAt?: string;
        authenticationMethods?: readonly string[];
      };
      /** For the audit record: what let this person answer. */
      rule?: AnswerRule;
      /** What the person had remembered with it. */
      remembered?: { grantId: GrantId; scope: GrantScope; match: GrantMatch; key: string };
    }
  | {
      /** A remembered approval stands in for the question that was due. */
      type: 'approval-granted';
      approvalId: ApprovalId;
      toolCallId: ToolCallId;
      grantId: GrantId;
      /** Who gave the approval that is remembered. */
      by: Person;
      /** What the question would have been about, as in `approval-requested`. */
      digest?: string;
    }
  | { type: 'approval-withdrawn'; approvalId: ApprovalId; toolCallId: ToolCallId; reason: WithdrawalReason }
  | {
      type: 'tool-started';
      toolCallId: ToolCallId;
      /** As given: the model's arguments, or those of the person who edited them. */
      input: JsonValue;
      /** What the tool gets, where it differs. */
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
      /** `unknown`: the call may have had its effect. Missing in older events. */
      outcome?: 'failed' | 'unknown';
    } & ToolEnd)
  | ({
      type: 'tool-denied';
      reason?: string;
      /** Present when nobody denied it: its question was withdrawn. */
      withdrawn?: WithdrawalReason;
    } & ToolEnd)
  | ({ type: 'tool-cancelled'; reason: string } & ToolEnd)
  | {
      type: 'history-cut';
      messageId: MessageId;
      /** Missing when nothing that was cut away had run, and in older events. */
      kept?: Kept;
    }
  | { type: 'run-suspended'; toolCallId: ToolCallId }
  | {
      type: 'run-completed';
      finishReason: string;
      /** Missing in older events. */
      why?: CompletionReason;
    }
  | { type: 'run-failed'; error: string }
  | { type: 'run-cancelled'; reason: 'stopped' | 'superseded' };

/** What belongs to the chat and to no run: nothing that carries a run's id follows that run's end. */
export type ChatEventBody =
  | {
      /** Gives an older question the digest that it was asked without. */
      type: 'approval-bound';
      approvalId: ApprovalId;
      toolCallId: ToolCallId;
      digest: string;
    }
  | {
      /** An outcome that became known after it was recorded as unknown. */
      type: 'outcome-resolved';
      toolCallId: ToolCallId;
      /** `late`: reported by the process that ran the call. `lookup`: by the tool. `person`: by somebody who may answer. */
      source: 'late' | 'lookup' | 'person';
      outcome: 'completed' | 'failed' | 'not-run';
      /** Present when a person said so. */
      by?: Person;
      note?: string;
      output?: JsonValue;
      error?: string;
      summary?: string;
      resultCount?: number;
      modelOutput: ModelOutput;
    };

/** `seq` counts from 1 within a chat, without gaps; `at` is epoch milliseconds. */
export type EventHead = {
  readonly seq: number;
  readonly at: number;
  /** Seals the audit entry of this event to the one before it, when the flow has an audit key. */
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

/** Events that end a run; each run has exactly one. */
export type RunEnd = EventOf<'run-suspended' | 'run-completed' | 'run-failed' | 'run-cancelled'>;

/** True for the one event that ends its run. */
export function isRunEnd(event: FlowEvent): event is RunEnd {
  return (
    event.type === 'run-suspended' ||
    event.type === 'run-completed' ||
    event.type === 'run-failed' ||
    event.type === 'run-cancelled'
  );
}

/**
 * The claim an event makes: at most one event of a chat may carry a key. This is what makes the first
 * answer win and a call run at most once, whoever races.
 *
 * @source DESIGN, "First answer wins", "At most once"
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
      // What the process that ran the call reports stands above what others concluded meanwhile.
      return event.source === 'late' ? `reported:${event.toolCallId}` : `resolved:${event.toolCallId}`;
    default:
      return undefined;
  }
}
