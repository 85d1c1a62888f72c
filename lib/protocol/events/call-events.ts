import type { ToolResultPart } from 'ai';
import type { Executor, WithdrawalReason } from '../approval/approvals.ts';
import type { ApprovalId, ToolCallId } from '../ids/ids.ts';
import type { JsonValue } from '../json.ts';
import type { Person } from '../principal.ts';
import type { Secrets } from '../secrets.ts';
import type { LifecycleJson } from '../wire/chat/lifecycle.ts';
import type { ResolutionJson } from '../wire/resolution.ts';

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

/** A call's outcome as the model receives it: the SDK's tool result output. */
export type ModelOutput = ToolResultPart['output'];

/** Where the text of a large result is stored beside the log, its number of parts, and its size in bytes. @source ADR 0042 */
export type StoredText = { readonly id: string; readonly parts: number; readonly bytes: number };

type ToolEnd = { toolCallId: ToolCallId; modelOutput: ModelOutput; durationMs?: number };

/**
 * Arguments of a call that the model is writing. There is no call yet: no decision depends on these events,
 * and the model does not see them. `tool-requested` follows, with the complete arguments.
 */
type ToolInputDelta = {
  type: 'tool-input-delta';
  /** The id that the call will have. */
  callId: ToolCallId;
  toolName: string;
  title?: string;
  dynamic?: boolean;
  /** The server executes the tool, and no setting can make a call of it ask. Live readers get such a call as a part. */
  neverAsks?: true;
  /** Text of the arguments, as the model writes it. Always empty for a tool with secrets. */
  delta: string;
};

/** What happens to a call, from its first words to its end. */
export type CallEventBody =
  | ToolInputDelta
  /** What was written so far did not become a call. */
  | { type: 'tool-input-dropped'; callId: ToolCallId }
  | {
      type: 'tool-requested';
      toolCallId: ToolCallId;
      toolName: string;
      /** The arguments as the model wrote them. */
      input: JsonValue;
      /** The arguments as the schema parsed them. Present when they differ from `input`. */
      runsAs?: JsonValue;
      /** The call that this one replaces. The model sees one call, under this id. */
      replaces?: ToolCallId;
      /** Who changed the arguments of the call that this one replaces. @source ADR 0047 */
      editedBy?: Person;
      /** The call of the subagent that made this one. Absent for a call of the turn's own model. @source ADR 0035 */
      parent?: ToolCallId;
      /**
       * A question that the running call `parent` asks: the JSON Schema of the answer's content. Nothing is executed.
       *
       * @source ADR 0037
       */
      form?: JsonValue;
      /** The call is the work of a subagent: model steps and calls of its own. */
      agent?: boolean;
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
      type: 'tool-started';
      toolCallId: ToolCallId;
      /** The arguments as written by the model, or as edited by a person. */
      input: JsonValue;
      /** The arguments that the tool receives. Present when they differ from `input`. */
      runsAs?: JsonValue;
    }
  | { type: 'tool-progressed'; toolCallId: ToolCallId; summary?: string; output?: JsonValue }
  | { type: 'tool-retrying'; toolCallId: ToolCallId; error: string; delayMs: number }
  | ({
      type: 'tool-completed';
      output: JsonValue;
      summary: string;
      resultCount: number;
      /** Present for a large result. Then `output` is `{ summary, bytes, sha256 }`. */
      storedText?: StoredText;
    } & ToolEnd)
  | ({
      type: 'tool-failed';
      error: string;
      retryable: boolean;
      wasRetried: boolean;
      /** `unknown`: the call may have had its effect. */
      outcome: 'failed' | 'unknown';
      /** With `unknown`: a person stopped the call, and its tool did not end in time. */
      stopped?: true;
    } & ToolEnd)
  | ({
      type: 'tool-denied';
      reason?: string;
      /** Present when the call was not denied by a person: its question was withdrawn. */
      withdrawn?: WithdrawalReason;
    } & ToolEnd)
  | ({ type: 'tool-cancelled'; reason: string } & ToolEnd);

/** The outcome of a call that was recorded as unknown. An event of the chat. @source ADR 0018 */
export type OutcomeEventBody = {
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
  storedText?: StoredText;
  modelOutput: ModelOutput;
};
