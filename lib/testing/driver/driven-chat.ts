import type { ChatStatus, UIMessage } from 'ai';
import type { DataPart } from './data-parts.ts';
import type { ChatHelpers, ChatSettings } from './testing-library.ts';
import type { WaitingCall } from './waiting-calls.ts';

/** A chat on a page, and a person before it. What is waited for comes within the timeout, or the test is told why not. */
export type DrivenChat = {
  /** What `useChat` gives at this moment. */
  readonly chat: ChatHelpers;
  /** The messages as they travel: without what JSON leaves out. */
  readonly messages: UIMessage[];
  /** Every data part that `onData` was given, oldest first. */
  readonly data: readonly DataPart[];
  /** Says something. Does not wait for the response. */
  send(text: string): void;
  /** Waits for the open question (of this tool), and approves it. */
  approve(tool?: string): Promise<void>;
  /** Waits for the open question (of this tool), and denies it. */
  deny(tool?: string, reason?: string): Promise<void>;
  /** Waits for a call of a client's tool, and gives its output, as the client's own code would. */
  output(tool: string, output: unknown): Promise<void>;
  /** Resolves when exactly one question (about this tool) can be answered. */
  waitForQuestion(tool?: string): Promise<WaitingCall>;
  /** Resolves when a call of this tool waits for the client's output. */
  waitForCall(tool: string): Promise<WaitingCall>;
  /** Resolves with the answer when it is whole: nothing is under way, and no call waits for anybody. */
  waitForFinal(): Promise<UIMessage>;
  /** Resolves when nothing is under way and the last message has this text as a part of its own. */
  waitForText(text: string): Promise<void>;
  /** Resolves when this text was received as a draft. */
  waitForDraft(text: string): Promise<void>;
  waitForStatus(status: ChatStatus): Promise<void>;
  /** Closes the page. What goes on on the server goes on. */
  leave(): void;
};

/** What a page of a driver takes: what `useChat` takes, and how long something may be missing. */
export type DrivenChatSettings = ChatSettings & {
  /** How long something may be missing before that is told. Default 10,000 ms. */
  readonly timeoutMs?: number;
};
