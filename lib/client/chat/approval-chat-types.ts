import type { AbstractChat, ChatInit, UIDataTypes, UIMessage, UITools } from 'ai';
import type { OutcomeToRecord } from '../calls/post-outcome.ts';
import type { CallView } from '../calls/tool-call.ts';
import type { FeedSource } from '../inbox/feed/approval-feed-reader.ts';
import type { AddedFields, NewAnswer, Question } from '../question.ts';
import type { ChatWords } from '../words/chat-words.ts';
import type { ChatItem } from './chat-items.ts';
import type { ChatPhase } from './chat-phase.ts';
import type { RequestFailure } from './requests/explain-failure.ts';
import type { ApprovalTransport } from './requests/watched-transport.ts';
import type { ChatsApi, StoredChat } from './stored-chat.ts';

/** The tools that a message type declares. */
type ToolsOf<Message extends UIMessage> =
  Message extends UIMessage<unknown, UIDataTypes, infer Tools extends UITools> ? Tools : UITools;

/**
 * The questions that a chat can ask, by the tools that its message type declares, discriminated by `toolName`. For a
 * type without tools, any question.
 */
export type QuestionOf<Message extends UIMessage> = {
  [Name in keyof ToolsOf<Message> & string]: Question<ToolsOf<Message>[Name]['input']> & {
    readonly toolName: Name;
  };
}[keyof ToolsOf<Message> & string];

/** Options of an approval. */
export type ApproveOptions<Input = unknown> = AddedFields & {
  /** Shared with the model. At most 2,000 characters. */
  readonly reason?: string;
  /** The id of one of the question's options. */
  readonly option?: string;
  /** Edited arguments. Omit to approve them as proposed. */
  readonly input?: Input;
};

/** Options of a denial. */
export type DenyOptions = Pick<ApproveOptions, 'reason' | 'option'>;

/** The options of a chat: those of `useChat`, addresses, and the stored chat. */
export type ApprovalChatOptions<Message extends UIMessage = UIMessage> = Omit<
  ChatInit<Message>,
  'transport' | 'sendAutomaticallyWhen'
> &
  ChatsApi & {
    /**
     * `createSseTransport()` or `createBidiTransport()`; any other works, with fewer features. May change at any time.
     */
    readonly transport: ApprovalTransport<Message>;
    /** The predicate that belongs to the transport. */
    readonly sendAutomaticallyWhen: NonNullable<ChatInit<Message>['sendAutomaticallyWhen']>;
    /**
     * The chat from `useStoredChat` or `loadChat`, with `id` and `messages`. With `messages` from another source, a
     * question whose answer had no effect is asked again.
     */
    readonly stored?: StoredChat<Message>;
    /** Default: whether a run of the stored chat is active or waiting. */
    readonly resume?: boolean;
    /** Least time between two renderings of a growing message, in milliseconds. Default: 40. */
    readonly throttle?: number;
    /** Names of the tools that this page executes: while one may run, the phase is `running`. Default: none. */
    readonly clientTools?: readonly string[];
    /** Default: `/api/approvals`. */
    readonly approvalsApi?: string;
    /** Whether to follow answers given elsewhere, or a feed that the page reads already. Default: true. */
    readonly feed?: boolean | FeedSource;
    /** The texts of failures. Default: English. */
    readonly words?: Partial<ChatWords>;
  };

/**
 * Connection of a page to its server. `offline`: the browser has no network, or the last request did not arrive.
 * `reconnecting`: a retry is in progress. Neither stops a run.
 */
export type Connection = 'online' | 'reconnecting' | 'offline';

/** What a person does in a chat. Each stays the same function. */
export type ChatActions<Message extends UIMessage = UIMessage> = Pick<
  AbstractChat<Message>,
  | 'sendMessage'
  | 'regenerate'
  | 'resumeStream'
  | 'addToolResult'
  | 'addToolOutput'
  | 'addToolApprovalResponse'
  | 'clearError'
  | 'experimental_removeQueuedMessage'
  | 'experimental_sendQueuedMessageNow'
> & {
  readonly setMessages: (messages: Message[] | ((messages: Message[]) => Message[])) => void;
  /**
   * Approves a question; by default the one that was rendered. Its options are sent with every retry of the answer,
   * until the question is asked again and decided differently.
   *
   * @returns false if that question is not open here, or is already answered: nothing changed
   * @throws Error for `input` or `plugins` over a transport that cannot carry them: nothing was approved
   */
  readonly approve: (id?: string, options?: ApproveOptions) => boolean;
  /** Approves or denies, for `ApprovalCard`: `onAnswer={chat.answer}`. @returns as `approve` */
  readonly answer: (answer: NewAnswer, id?: string) => boolean;
  /** Denies a question; by default the one that was rendered. @returns as `approve` */
  readonly deny: (id?: string, options?: DenyOptions) => boolean;
  /**
   * Records what a person found out about a call whose outcome is unknown, and shows it. For `ToolCard`'s `onResolve`.
   *
   * @throws Error with the server's message when the outcome was refused
   */
  readonly resolveOutcome: (toolCallId: string, outcome: OutcomeToRecord) => Promise<void>;
  /**
   * Stops the run on the server and cancels the open question, if the transport can; otherwise it only stops
   * reading.
   */
  readonly stop: () => Promise<void>;
  /**
   * Retries what failed: sends an unsent answer or message again, repeats a failed run, or follows an ongoing one.
   * Nothing runs twice.
   */
  readonly retry: () => Promise<void>;
};

/** What a page shows of a chat, and a person's actions: everything from `useChat`, and more. */
export type ApprovalChatState<Message extends UIMessage = UIMessage> = ChatActions<Message> &
  Pick<AbstractChat<Message>, 'id' | 'messages' | 'status' | 'experimental_queuedMessages'> & {
    readonly error: Error | undefined;
    readonly phase: ChatPhase;
    /** The open question. */
    readonly question?: QuestionOf<Message>;
    /**
     * The last answer about it, which the server refused or did not receive. Pass it to `ApprovalCard` as
     * `initialAnswer`, so that the person does not have to enter it again.
     */
    readonly lastAnswer?: NewAnswer;
    /** The text of the turn that is not released yet, as Markdown; empty when there is none. */
    readonly draft: string;
    /** Each call by its tool call id, even while no message shows it. */
    readonly tools: ReadonlyMap<string, CallView>;
    /**
     * What to show of a message, in the order in which it was made: texts, drafts of texts, calls, the open question. A message
     * that is not one of `messages` is a placeholder for the next answer.
     */
    readonly itemsOf: (message: UIMessage) => readonly ChatItem[];
    /** Why the last action failed. */
    readonly failure?: RequestFailure;
    readonly connection: Connection;
  };
