import type { ModelMessage, ToolResultPart } from 'ai';
import type { Position, Risk, WithdrawalReason } from './approvals.ts';
import type { GrantMatch, GrantScope } from './grants.ts';
import type { ApprovalId, GrantId, MessageId, RunId, ToolCallId } from './ids.ts';
import type { JsonValue } from './json.ts';
import type { Person } from './principal.ts';
import type { Secrets } from './secrets.ts';

/** A part of a user message. Files are data or https URLs, checked at the edge. */
export type UserPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'file'; readonly url: string; readonly mediaType: string; readonly filename?: string };

/** When text and outcomes reach the person: after the last answer, or as they happen. @source T3, T11 */
export type Release = 'final' | 'progressive';

/** Who executes a call. */
export type Executor = 'server' | 'client' | 'provider';

/** Family of a tool, decided by dispatch. @source contract C10 */
export type ToolKind = 'function' | 'mcp' | 'file_search' | 'web_search';

/** What the gate said of a call. `automatic` pairs are shown, `ask` waits for a person. */
export type Gate =
  | { readonly type: 'none' }
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

/** A reference the model named, or a file it made. */
export type Source =
  | { type: 'source-url'; sourceId: string; url: string; title?: string }
  | { type: 'source-document'; sourceId: string; mediaType: string; title: string; filename?: string }
  | { type: 'file' | 'reasoning-file'; url: string; mediaType: string };

/** One event's content, by type. What the log may hold, and nothing else. @source DESIGN, "The idea" */
export type EventBody =
  | { type: 'message-received'; messageId: MessageId; parts: readonly UserPart[]; by: Person }
  | {
      type: 'run-started';
      messageId: MessageId;
      release: Release;
      by: Person;
      /** Of the run that begins a turn. */
      options?: RunOptions;
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
      input: JsonValue;
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
    }
  | {
      type: 'approval-answered';
      approvalId: ApprovalId;
      toolCallId: ToolCallId;
      approved: boolean;
      reason?: string;
      input?: JsonValue;
      by: Person;
      via: string;
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
    }
  | { type: 'approval-withdrawn'; approvalId: ApprovalId; toolCallId: ToolCallId; reason: WithdrawalReason }
  | { type: 'tool-started'; toolCallId: ToolCallId; input: JsonValue }
  | { type: 'tool-progressed'; toolCallId: ToolCallId; summary?: string; output?: JsonValue }
  | { type: 'tool-retrying'; toolCallId: ToolCallId; error: string; delayMs: number }
  | ({ type: 'tool-completed'; output: JsonValue; summary: string; resultCount: number } & ToolEnd)
  | ({ type: 'tool-failed'; error: string; retryable: boolean; wasRetried: boolean } & ToolEnd)
  | ({ type: 'tool-denied'; reason?: string } & ToolEnd)
  | ({ type: 'tool-cancelled'; reason: string } & ToolEnd)
  | { type: 'history-cut'; messageId: MessageId }
  | { type: 'run-suspended'; toolCallId: ToolCallId }
  | { type: 'run-completed'; finishReason: string }
  | { type: 'run-failed'; error: string }
  | { type: 'run-cancelled'; reason: 'stopped' | 'superseded' };

/** `seq` counts from 1 within a chat, without gaps; `at` is epoch milliseconds. */
export type EventHead = {
  readonly seq: number;
  readonly at: number;
  readonly runId: RunId;
  /** Seals the audit entry of this event to the one before it, when the flow has an audit key. */
  readonly seal?: string;
};

/** One entry of a chat's append-only log. */
export type FlowEvent = EventHead & EventBody;

/** A `FlowEvent` of one type. */
export type EventOf<Type extends EventBody['type']> = Extract<FlowEvent, { type: Type }>;

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
export function claimOf(event: EventBody): string | undefined {
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
    default:
      return undefined;
  }
}
