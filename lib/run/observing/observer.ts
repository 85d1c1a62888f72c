import type { streamText } from 'ai';
import type {
  ChatId,
  FlowEvent,
  JsonValue,
  RunId,
  ToolCallId,
  ToolKind,
  Usage,
} from '../../protocol/index.ts';

/**
 * What a plugin sees of a flow's work on this instance. It changes nothing: if one of its functions throws, that is logged.
 *
 * @source ADR 0056
 */
export type Observer = {
  /** Called with events that this instance has made durable. Events of other instances are not included. */
  recorded?(events: readonly RecordedEvent[]): void;
  /** Called when this instance begins or continues a run. */
  begin?(run: ObservedRun): Watch;
};

/** An event as people may read it: without secrets. */
export type RecordedEvent = {
  readonly chatId: ChatId;
  readonly event: FlowEvent;
  /** The call that an event of a run is about. */
  readonly call?: {
    readonly toolName: string;
    /** No such tool exists, or the arguments do not fit. The model may have made the name up. */
    readonly isInvalid: boolean;
    /** When its question was asked, in epoch milliseconds. */
    readonly askedAt: number | undefined;
  };
};

export type ObservedRun = {
  readonly chatId: ChatId;
  readonly runId: RunId;
  /** It begins its turn. */
  readonly isFirst: boolean;
  /** Its earlier owner left it, or is gone. */
  readonly isTakenOver: boolean;
  /** What the plugin had kept with the turn. @see Watch.keep */
  readonly kept?: JsonValue | undefined;
};

/** Work within a run: one attempt of a model step, or one attempt of a tool. */
export type ObservedWork =
  | { readonly type: 'step'; readonly step: number }
  | {
      readonly type: 'tool';
      readonly toolName: string;
      readonly toolCallId: ToolCallId;
      readonly kind: ToolKind;
      readonly approvalId: string | undefined;
      /** Parsed arguments. Absent if a tool of the flow has secrets. */
      readonly input?: unknown;
    };

/** How work ended. */
export type WorkEnd = {
  /** Why it failed: the name of an error, or `stopped` or `timed-out`. */
  readonly failure?: string;
  /** The message of the error of a tool. It may quote arguments and results. Absent if a tool of the flow has secrets. */
  readonly message?: string | undefined;
  /** What the tool returned. Absent if a tool of the flow has secrets. */
  readonly output?: unknown;
  /** Of a model step. */
  readonly finishReason?: string;
  readonly usage?: Usage;
};

/** Options of the SDK's call that observe it. */
export type SdkOptions = Pick<Parameters<typeof streamText>[0], 'telemetry'>;

/** What an observer does about one piece of work. */
export type Watch = {
  /** Kept with the turn, for its later runs on any instance. Only of a run that begins its turn. People do not see it. */
  readonly keep?: JsonValue | undefined;
  /** For the model's call. Inputs and outputs are left out if a tool of the flow has secrets. */
  readonly sdk?: SdkOptions | undefined;
  /** Calls the function synchronously, in a context of the observer's choice. The work gets it if the runtime has async contexts. */
  within?(enter: () => void): void;
  /** Called when work within the run begins. */
  begin?(work: ObservedWork): Watch;
  /** Called when this instance no longer does the work. */
  end?(end: WorkEnd): void;
};
