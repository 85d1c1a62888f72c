import type { UIMessage } from 'ai';
import type { RespondRequest } from '../../commands/requests.ts';
import type { ChatHead } from '../../log/store/index.ts';
import type {
  ApprovalId,
  ChatId,
  FlowEvent,
  MessageId,
  Page,
  RunId,
  RunOptions,
  ToolCallId,
} from '../../protocol/index.ts';
import type { DraftJson } from '../../protocol/wire/chat/draft.ts';
import type { QuestionView } from '../../rights/question-rights.ts';
import type { DataWriter } from '../../settings/call/data-writer.ts';
import type { StoredMessage } from '../../views/chat/stored-chat.ts';
import type { FlowStream, StreamEnd } from '../../views/flow-stream.ts';
import type { By, InChat } from '../request.ts';

/** A chat, as its page displays it. @source H4 */
export type ChatView = {
  readonly id: ChatId;
  readonly title: string;
  readonly messages: readonly StoredMessage[];
  readonly draft?: string;
  /** The same as separate texts, each with its place in the last message. */
  readonly drafts?: readonly DraftJson[];
  readonly run: {
    readonly status: ChatHead['status'];
    /** The plugin that this run needs. The run continues on an instance that has it. */
    readonly waitsForPlugin?: string | undefined;
  };
  readonly open?: ApprovalId;
  /** All questions of this chat, oldest first, with their answers. */
  readonly questions: readonly QuestionView[];
};

/** Chats: their turns, their pages and their runs. */
export type Chats = {
  /** Accepts a message, answers or outputs, and streams the response. @source H1, H6-H8, H10 */
  respond(request: RespondRequest): Promise<FlowStream>;
  /** Replays the current message, then continues live; `null` if there is nothing to resume. @source H2 */
  resume(request: InChat): Promise<FlowStream | null>;
  /** Replays one run from its start, or from an event within it; `null` if the chat has no such run. */
  follow(request: InChat & { runId: RunId; after?: number; until?: StreamEnd }): Promise<FlowStream | null>;
  /**
   * Finds the message that this principal sent with a key, in any chat; `undefined` if there is none. Pass the same key with this
   * message id and chat to `respond` to replay its turn. With another id or chat, `respond` refuses the key.
   *
   * @source ADR 0014
   */
  findMessage(
    request: By & { readonly key: string },
  ): Promise<{ readonly chatId: ChatId; readonly messageId: MessageId } | undefined>;
  read(request: InChat): Promise<ChatView>;
  list(request: By & { cursor?: string; limit?: number }): Promise<Page<ChatHead & { openCount: number }>>;
  rename(request: InChat & { title: string }): Promise<void>;
  /**
   * Erases a chat with its log and results. With an audit key, the sealed record of its executed gated calls is
   * kept for `recordRetentionMs`.
   *
   * @throws CountersignError `not-found`
   * @source H4, ADR 0023
   */
  erase(request: InChat): Promise<void>;
  /**
   * Stops the active run, or cancels the open question. Does nothing if there is neither. Once it resolves, the
   * run starts no further call and asks no further question, on any instance.
   *
   * @source H5
   */
  stop(request: InChat): Promise<void>;
  /**
   * Cancels one call; its turn continues. False if nothing was cancelled, for example because the call runs on
   * another instance.
   *
   * @source D21
   */
  cancelCall(request: InChat & { readonly toolCallId: ToolCallId }): Promise<boolean>;
  /**
   * Retries a failed call; `null` if the last turn has no such call, or it may not be retried.
   *
   * @param request.unsupportedByClient what the client of the rest of the turn cannot do. Default: the same as when the turn began
   * @source D22
   */
  retryCall(
    request: InChat &
      Pick<RunOptions, 'unsupportedByClient'> & {
        readonly toolCallId: ToolCallId;
        readonly until?: StreamEnd;
      },
  ): Promise<FlowStream | null>;
  /**
   * Reads the text of a large result from the store, in parts; `null` if the call has none. The iterable throws
   * `not-found` if the chat is erased while the text is read.
   *
   * @throws CountersignError `not-found`
   * @source ADR 0042
   */
  resultText(request: InChat & { readonly toolCallId: ToolCallId }): Promise<AsyncIterable<string> | null>;
  /** The chat's log, without values that its tools keep secret. */
  timeline(request: InChat): Promise<readonly FlowEvent[]>;
  /**
   * Writes data parts into a chat's running turn, for code outside of tools, such as a route that has called `respond`.
   * Tools have their own: `context.writer`. `write` rejects with `not-found` for a chat that the principal may not see, and
   * with `invalid-request` if no turn is running in it, or if another instance runs it.
   *
   * @example await flow.chats.writer<MyMessage>({ chatId, principal }).write({ type: 'data-sources', id: 's1', data: { count: 3 } })
   * @source ADR 0031
   */
  writer<Message extends UIMessage = UIMessage>(request: InChat): DataWriter<Message>;
};
