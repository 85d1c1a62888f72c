import type { AbstractChat, ChatInit, UIMessage } from 'ai';

/** What `useChat` gives, as far as a driver needs it. */
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
> & { readonly error: Error | undefined };

/** What `useChat` takes, as far as a driver gives it. */
export type ChatSettings = ChatInit<UIMessage> & { readonly resume?: boolean };

/**
 * The parts that a driver is made of: `useChat` of `@ai-sdk/react`, and three functions of `@testing-library/react`.
 * They are handed in, so that the kit works without React, and with whichever version of it a project has.
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
