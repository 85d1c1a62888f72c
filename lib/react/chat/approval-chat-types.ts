import type { UseChatHelpers } from '@ai-sdk/react';
import type { ChatInit, UIDataTypes, UIMessage, UITools } from 'ai';
import type { ChatItem } from '../../client/chat/chat-items.ts';
import type { ChatPhase } from '../../client/chat/chat-phase.ts';
import type { OutcomeToRecord } from '../../client/chat/post-outcome.ts';
import type { RequestFailure } from '../../client/chat/request-failure.ts';
import type { ChatsApi, StoredChat } from '../../client/chat/stored-chat.ts';
import type { CallView } from '../../client/chat/tool-call.ts';
import type { ApprovalTransport } from '../../client/chat/watched-transport.ts';
import type { Decision, Question, Remember } from '../../client/question.ts';
import type { Connection } from './use-connection.ts';

/** The tools that a message type declares. */
type ToolsOf<Message extends UIMessage> =
  Message extends UIMessage<unknown, UIDataTypes, infer Tools extends UITools> ? Tools : UITools;

/**
 * The questions that a chat can ask, by the tools its message type declares: `question.toolName` tells their inputs
 * apart. Of a type without tools, any question.
 */
export type QuestionOf<Message extends UIMessage> = {
  [Name in keyof ToolsOf<Message> & string]: Question<ToolsOf<Message>[Name]['input']> & {
    readonly toolName: Name;
  };
}[keyof ToolsOf<Message> & string];

/** What goes with an approval. */
export type ApproveOptions<Input = unknown> = {
  /** Told to the model. At most 2,000 characters. */
  readonly reason?: string;
  /** Edited arguments; leave it out when they are approved as proposed. */
  readonly input?: Input;
  /** Which later calls it covers as well. */
  readonly remember?: Remember;
};

/** What goes with a denial. */
export type DenyOptions = Pick<ApproveOptions, 'reason'>;

/** How `useApprovalChat` begins: all that `useChat` takes, where things are, and what is stored. */
export type ApprovalChatOptions<Message extends UIMessage = UIMessage> = Omit<
  ChatInit<Message>,
  'transport' | 'sendAutomaticallyWhen'
> &
  ChatsApi & {
    /** `createSseTransport()` or `createBidiTransport()`; any other works, with less. May change at any time. */
    readonly transport: ApprovalTransport<Message>;
    /** The predicate that belongs to the transport. */
    readonly sendAutomaticallyWhen: NonNullable<ChatInit<Message>['sendAutomaticallyWhen']>;
    /**
     * The chat as the server has it, of `useStoredChat` or `loadChat`; it gives `id` and `messages`. Of `messages` that
     * come from elsewhere, an answer that nothing came of is asked for again.
     */
    readonly stored?: StoredChat<Message>;
    /** Default: whether a run of the stored chat is active, or waits. */
    readonly resume?: boolean;
    /** Least time between two renderings of a growing message, in milliseconds. Default: 40. */
    readonly throttle?: number;
    /** Names of the tools that this page executes: while one may run, the phase is `running`. Default: none. */
    readonly clientTools?: readonly string[];
    /** Default: `/api/approvals`. */
    readonly approvalsApi?: string;
    /** Whether to learn of answers given elsewhere. Default: true. */
    readonly feed?: boolean;
  };

/** A chat, and everything that a person can do: all of `useChat`, and these. */
export type ApprovalChat<Message extends UIMessage = UIMessage> = UseChatHelpers<Message> & {
  readonly phase: ChatPhase;
  /** The open question. */
  readonly question?: QuestionOf<Message>;
  /**
   * What was decided about it when it was asked before, and did not count: the server refused it, or never got it. For
   * `ApprovalCard`'s `initialDecision`, so that nothing is written twice.
   */
  readonly lastDecision?: Decision;
  /**
   * Approves a question; by default the one that was rendered. What goes with it is kept, and sent again with the
   * answer, until a later asking is decided otherwise.
   *
   * @returns false when that question is not open here, or has its answer already: nothing changed
   * @throws Error for `input` or `remember` over a transport that cannot carry them: nothing was approved
   */
  readonly approve: (id?: string, options?: ApproveOptions) => boolean;
  /** Both in one, as `ApprovalCard` tells it: `onDecide={chat.decide}`. @returns as `approve` */
  readonly decide: (decision: Decision, id?: string) => boolean;
  /** Denies a question; by default the one that was rendered. @returns as `approve` */
  readonly deny: (id?: string, options?: DenyOptions) => boolean;
  /** The text of the turn that is not released yet, as Markdown; empty when there is none. */
  readonly draft: string;
  /** Each call, by its tool call id, also while no message shows it. */
  readonly tools: ReadonlyMap<string, CallView>;
  /**
   * What to show of a message, in reading order: texts, calls where they were made, the open question, the draft. A
   * message that is not one of `messages` stands for the answer that is about to begin.
   */
  readonly itemsOf: (message: UIMessage) => readonly ChatItem[];
  /** Why the last thing did not work. */
  readonly failure?: RequestFailure;
  readonly connection: Connection;
  /**
   * Records what a person found out about a call whose outcome is unknown, and shows it. For `ToolCard`'s `onResolve`.
   *
   * @throws Error with the server's words when it was not taken
   */
  readonly resolveOutcome: (toolCallId: string, outcome: OutcomeToRecord) => Promise<void>;
  /** Stops the run on the server, and withdraws the open question, when the transport can; else it only detaches. */
  readonly stop: () => Promise<void>;
  /**
   * Does again what failed: sends an unsent answer, as it was decided, or an unreceived message; runs a failed run
   * again; or just follows what goes on. Nothing runs twice.
   */
  readonly retry: () => Promise<void>;
};
