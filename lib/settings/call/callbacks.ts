import type { ToolLoopAgentSettings, ToolSet, UIMessage } from 'ai';
import type { Answer, ChatId, Question, RunId } from '../../protocol/index.ts';

/**
 * Where something happened. In the SDK's events, `callId` is the id of the run, and `stepNumber` counts the steps of the
 * whole turn.
 */
export type Place = { readonly chatId: ChatId; readonly runId: RunId };

type Agent<Tools extends ToolSet> = ToolLoopAgentSettings<never, Tools>;
type AgentEvent<Tools extends ToolSet, Name extends keyof Agent<Tools>> =
  NonNullable<Agent<Tools>[Name]> extends (event: infer Event) => unknown ? Event & Place : never;
type Callback<Event> = (event: Event) => void | PromiseLike<void>;
type Retry = { retry: true };

/**
 * Callbacks of the SDK's agent, under its own names, and ours. Each is called on the instance where the event
 * happened. None is awaited, and an error in one is logged and changes nothing. Those about questions,
 * answers and ends of a chat's turns are called in the order of its log. After a crash, a callback may be
 * missing, and those of a step or a tool that runs again are called again.
 *
 * @source ADR 0029
 */
export type Callbacks<Tools extends ToolSet = ToolSet> = {
  /** A turn begins, before its first model call. Not called again after a question. */
  readonly onStart?: Callback<AgentEvent<Tools, 'onStart'>>;
  /** A model step begins. */
  readonly onStepStart?: Callback<AgentEvent<Tools, 'onStepStart'>>;
  readonly onLanguageModelCallStart?: Callback<AgentEvent<Tools, 'onLanguageModelCallStart'>>;
  readonly onLanguageModelCallEnd?: Callback<AgentEvent<Tools, 'onLanguageModelCallEnd'>>;
  /** A tool was called: it is already running when this is called. `messages` is built on access, so read it immediately. */
  readonly onToolExecutionStart?: Callback<AgentEvent<Tools, 'onToolExecutionStart'>>;
  /** An attempt of a tool has ended. A call that is no longer waited for is a `tool-error`. */
  readonly onToolExecutionEnd?: Callback<AgentEvent<Tools, 'onToolExecutionEnd'>>;
  /** The model's part of a step has ended. Results of the tools it calls come later. */
  readonly onStepEnd?: Callback<AgentEvent<Tools, 'onStepEnd'>>;
  readonly onStepError?: Callback<AgentEvent<Tools, 'onStepError'>>;
  /**
   * A run failed, or its stream broke. With `streamRetries`, `{ retry: true }` asks for one more retry; only
   * then is the result awaited.
   */
  readonly onError?: (
    event: { readonly error: unknown } & Place,
  ) => void | Retry | PromiseLike<void> | PromiseLike<Retry | undefined>;
  /**
   * A turn was stopped, was replaced by a new message, or took longer than `timeout` allows. `reason`: `stopped`,
   * `superseded` or an error.
   */
  readonly onAbort?: Callback<AgentEvent<Tools, 'onAbort'>>;
  /**
   * A turn is complete. `steps` and everything derived from them cover the whole turn, as recorded in the
   * log. `messages` is the chat as its page shows it: reading it costs as much as loading the chat. `output`
   * is what the setting `output` makes of the last text, unless the text does not fit.
   */
  readonly onEnd?: Callback<
    AgentEvent<Tools, 'onEnd'> & { readonly messages: UIMessage[]; readonly output?: unknown }
  >;
  /** A part of the response, as the SDK streams it. */
  readonly onChunk?: Callback<{ readonly chunk: unknown } & Place>;
  /** A question was asked. Its arguments are redacted. */
  readonly onQuestion?: Callback<{ readonly question: Question } & Place>;
  /** A question was answered by a person, from anywhere. */
  readonly onAnswer?: Callback<{ readonly question: Question; readonly answer: Answer } & Place>;
};

/** The name of a callback. */
export type CallbackName = keyof Callbacks;

export const callbackNames = Object.keys({
  onStart: true,
  onStepStart: true,
  onLanguageModelCallStart: true,
  onLanguageModelCallEnd: true,
  onToolExecutionStart: true,
  onToolExecutionEnd: true,
  onStepEnd: true,
  onStepError: true,
  onError: true,
  onAbort: true,
  onEnd: true,
  onChunk: true,
  onQuestion: true,
  onAnswer: true,
} satisfies Record<CallbackName, true>) as readonly CallbackName[];
