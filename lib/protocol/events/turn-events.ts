import type { FailureCode } from '../failure-code.ts';
import type { MessageId, ToolCallId } from '../ids/ids.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import type { Person, RecordedPrincipal } from '../principal.ts';
import type { DataPart } from './data-events.ts';

/**
 * A part of a user message. A file is a data URL or an https URL, checked when it arrives. A data part belongs to the page:
 * the model does not see it.
 */
export type UserPart =
  | { readonly type: 'text'; readonly text: string }
  | DataPart
  | { readonly type: 'file'; readonly url: string; readonly mediaType: string; readonly filename?: string };

/**
 * When text and outcomes are shown. `final`: after the last answer. `progressive`: as they happen. `hold-after-question`: as
 * they happen until the turn's first question, and what follows it after the last answer.
 *
 * @source T3, T11, T17
 */
export type Release = 'final' | 'progressive' | 'hold-after-question';

/** Options of a request that apply to its whole turn, in every run. They are in the log, so they survive a restart. */
export type RunOptions = {
  /** The maximum number of model steps, regardless of `stopWhen`. */
  readonly stepLimit?: number;
  /** Calls run one after another. @source C8 */
  readonly oneAtATime?: boolean;
  /** Appended to the flow's instructions. */
  readonly instructions?: string;
  /** Which tool the model may or must call, as in the SDK. A call that is required is required once. */
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly type: 'tool'; readonly toolName: string };
  /** The only tools that the model may call. */
  readonly activeTools?: readonly string[];
  /** The maximum number of calls that the client does not execute. Further calls are not run. */
  readonly callLimit?: number;
  /** The maximum number of output tokens, over all model calls. */
  readonly outputLimit?: number;
  /** The text is JSON, by a JSON Schema if there is one. */
  readonly output?: { readonly name?: string; readonly description?: string; readonly schema?: JsonObject };
  /** Functions that the client executes. `inputSchema`: JSON Schema. */
  readonly clientTools?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly inputSchema: JsonObject;
    readonly strict?: boolean;
  }[];
  /**
   * What the client of the turn cannot do. `approvals`: it cannot show questions, so its person is not asked. `tools`: it cannot
   * execute calls. Such calls fail, in whichever process the run continues, so that the turn ends.
   *
   * @source A25
   */
  readonly unsupportedByClient?: readonly ('approvals' | 'tools')[];
  /**
   * The turn is a request of an agent outside the flow: it has one call, no model is called, and its question has
   * this deadline, if it ends before that of the tool.
   *
   * @source ADR 0044
   */
  readonly agentRequest?: { readonly deadlineMs?: number };
  /** What the entry point needs to show the turn again. The flow does not read it. */
  readonly request?: JsonObject;
};

/**
 * Why a run completed. `answered`: the model finished. `silent`: the model produced no text after its tools.
 * `stop-condition`: `stopWhen` ended the run. `step-limit`: a number of steps did, by `stopWhen` or by the request. `output-limit`:
 * the request's limit of tokens did. `cut-off`: the model's step ended early.
 */
export type CompletionReason =
  | 'answered'
  | 'silent'
  | 'stop-condition'
  | 'step-limit'
  | 'output-limit'
  | 'cut-off';

/** The part of a removed section of the chat that still counts. Computed when the section is removed. */
export type Kept = {
  /** The `seq` of the last `step-finished` that the model still sees. Everything before it is kept as well. */
  readonly through: number;
  /** The calls that ran. The message of the new turn shows them. */
  readonly toolCallIds: readonly ToolCallId[];
};

/** Messages, and the starts and ends of runs. `Events`: a part of the log. */
export type TurnEventBody<Events = unknown> =
  | {
      type: 'message-received';
      messageId: MessageId;
      parts: readonly UserPart[];
      /** The page's own facts about the message. The model does not see them. */
      metadata?: JsonValue;
      /** A digest of the key of the message, if the client sent one. */
      key?: string;
      by: Person;
    }
  | {
      type: 'run-started';
      messageId: MessageId;
      release: Release;
      by: Person;
      /** Present on the run that starts a turn, and on one that repeats a call of it with other options. */
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
      /** Present on the run that starts a turn after a cut: the kept calls, and the steps that it continues. */
      kept?: {
        readonly toolCallIds: readonly ToolCallId[];
        /** The recorded events of these calls and steps. */
        readonly events: Events;
      };
      /** Metadata of the turn's message. Only on the run that starts a turn. */
      metadata?: JsonObject;
      /** On the run that starts a turn: what plugins keep with it, by name. People do not see it. */
      plugins?: Readonly<Record<string, JsonValue>>;
      /**
       * On the run that starts a turn: the plugins with a gate of the instance that wrote it. The turn is continued only where
       * all of them are.
       *
       * @source ADR 0056.42
       */
      gates?: readonly string[];
    }
  | {
      type: 'history-cut';
      messageId: MessageId;
      /** Absent when no call in the removed section had run. */
      kept?: Kept;
    }
  | { type: 'run-suspended'; toolCallId: ToolCallId }
  | {
      type: 'run-completed';
      finishReason: string;
      why: CompletionReason;
      /** Metadata that the message gets at its end. It is merged with that of the start. */
      metadata?: JsonObject;
    }
  | {
      type: 'run-failed';
      error: string;
      /** Absent if the error has none of these codes. */
      code?: FailureCode;
    }
  | { type: 'run-cancelled'; reason: 'stopped' | 'superseded' };
