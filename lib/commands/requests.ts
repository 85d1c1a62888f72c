import type {
  AnswerRequest,
  ChatId,
  JsonValue,
  MessageId,
  OutputRequest,
  Principal,
  RunOptions,
  ToolCallId,
  UserPart,
} from '../protocol/index.ts';
import type { StreamEnd } from '../views/flow-stream.ts';

export type ChatRequest = { readonly principal: Principal; readonly chatId: ChatId };

export type CallRequest = ChatRequest & { readonly toolCallId: ToolCallId };

/** A new user message, its parts already checked. */
export type NewMessage = {
  readonly id: MessageId;
  readonly parts: readonly UserPart[];
  /** Stored with the message. The model does not see it. */
  readonly metadata?: JsonValue;
};

/** One request for a response. @source H1 */
export type RespondRequest = {
  readonly chatId: ChatId;
  readonly principal: Principal;
  readonly trigger: 'submit-message' | 'regenerate-message';
  /** Submit: the user message that is edited. Regenerate: the message to regenerate. */
  readonly messageId?: MessageId;
  readonly message?: NewMessage;
  readonly answers?: readonly AnswerRequest[];
  readonly outputs?: readonly OutputRequest[];
  /** The transport of the request, such as `sse`: recorded with answers. */
  readonly via: string;
  /** Refuses an unknown chat (`not-found`) instead of creating it. */
  readonly mustExist?: boolean;
  /**
   * An idempotency key of the message, for clients that may send a request again. A person can use a key for one message in one chat.
   * @see Chats.findMessage
   */
  readonly key?: string;
  /** Applies to the turn that a message begins. With answers and outputs, the turn keeps its own. */
  readonly options?: RunOptions;
  /**
   * For `prepareCall`, in each run of the turn that a message begins. With answers and outputs, the turn
   * keeps its own, and a warning is logged if these are others. Recorded as JSON.
   *
   * @source ADR 0030
   */
  readonly callOptions?: unknown;
  /** Where the stream ends: at the end of the run (default), or of the turn, including its questions. */
  readonly until?: StreamEnd;
};
