import type { AbstractChat, ChatInit, UIMessage } from 'ai';

/** The part of `useChat`'s return value that a driver needs. */
export type ChatHelpers = Pick<
  AbstractChat<UIMessage>,
  | 'messages'
  | 'status'
  | 'sendMessage'
  | 'regenerate'
  | 'stop'
  | 'resumeStream'
  | 'addToolOutput'
  | 'addToolApprovalResponse'
> & {
  readonly error: Error | undefined;
  setMessages(messages: UIMessage[] | ((now: UIMessage[]) => UIMessage[])): void;
};

/** The part of `useChat`'s settings that a driver sets. */
export type ChatSettings = ChatInit<UIMessage> & { readonly resume?: boolean };

/**
 * The dependencies of a driver: `useChat` of `@ai-sdk/react`, and three functions of `@testing-library/react`. They
 * are passed in, so that the kit works without React and with any version of it.
 */
export type TestingLibrary = {
  readonly useChat: (settings: ChatSettings) => ChatHelpers;
  readonly renderHook: <Result>(render: () => Result) => {
    readonly result: { readonly current: Result };
    unmount(): void;
  };
  readonly waitFor: (check: () => void, options: { timeout: number }) => Promise<void>;
  readonly act: (change: () => void) => unknown;
};
