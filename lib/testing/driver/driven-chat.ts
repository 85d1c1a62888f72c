import type { ChatStatus, UIMessage } from 'ai';
import type { DataPart } from './data-parts.ts';
import type { ChatHelpers, ChatSettings } from './testing-library.ts';
import type { WaitingCall } from './waiting-calls.ts';

/** A chat on a page, and its user. Each wait ends within the timeout, or fails with what is missing. */
export type DrivenChat = {
  /** The current return value of `useChat`. */
  readonly chat: ChatHelpers;
  /** The messages as sent: without the values that JSON omits. */
  readonly messages: UIMessage[];
  /** Every data part passed to `onData`, oldest first. */
  readonly data: readonly DataPart[];
  /** Sends a message. Does not wait for the response. */
  send(text: string): void;
  /** Waits for the open question (about this tool) and approves it. */
  approve(tool?: string): Promise<void>;
  /** Waits for the open question (about this tool) and denies it. */
  deny(tool?: string, reason?: string): Promise<void>;
  /** Waits for a call of a client tool and provides its output. */
  output(tool: string, output: unknown): Promise<void>;
  /** Resolves when exactly one question (about this tool) can be answered. */
  waitForQuestion(tool?: string): Promise<WaitingCall>;
  /** Resolves when a call of this tool waits for the client's output. */
  waitForCall(tool: string): Promise<WaitingCall>;
  /** Resolves with the complete answer: nothing is in progress and no call is waiting. */
  waitForFinal(): Promise<UIMessage>;
  /** Resolves when nothing is in progress and the last message has this text as its own part. */
  waitForText(text: string): Promise<void>;
  /** Resolves when this text was received as a draft. */
  waitForDraft(text: string): Promise<void>;
  waitForStatus(status: ChatStatus): Promise<void>;
  /** Closes the page. The run on the server continues. */
  leave(): void;
};

/** The settings of a driven page: those of `useChat`, and the timeout. */
export type DrivenChatSettings = ChatSettings & {
  /** How long to wait before a test fails. Default 10,000 ms. */
  readonly timeoutMs?: number;
};
