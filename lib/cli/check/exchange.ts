import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai';

/** What a client sends to get a response: the arguments of the SDK's transports. */
export type SentRequest = Pick<
  Parameters<ChatTransport<UIMessage>['sendMessages']>[0],
  'chatId' | 'trigger' | 'messageId' | 'messages'
>;

/** How a backend says no before any stream begins: by a status over HTTP, by an `error` frame on a socket. */
export type Refusal = { readonly status?: number; readonly code?: string; readonly text: string };

/** How an exchange ended. */
export type ExchangeEnd =
  | { readonly type: 'complete' }
  /** A resume that was told that there is nothing. */
  | { readonly type: 'nothing' }
  | ({ readonly type: 'refused' } & Refusal)
  /** The response was cut, or is not a UI message stream. */
  | { readonly type: 'broken'; readonly text: string }
  | { readonly type: 'timeout'; readonly seconds: number };

/** One request, and everything that came back. */
export type Exchange = {
  /** Of a resume: the chat alone. */
  readonly request: SentRequest | { readonly chatId: string };
  readonly chunks: readonly UIMessageChunk[];
  readonly end: ExchangeEnd;
};

/** The end of an exchange in a sentence without its full stop. */
export function tellEnd(end: ExchangeEnd): string {
  switch (end.type) {
    case 'complete':
      return 'it was answered by a response';
    case 'nothing':
      return 'it was told that nothing is active';
    case 'refused': {
      const facts = [end.status, end.code].filter((fact) => fact !== undefined);
      return `it was refused${facts.length > 0 ? ` (${facts.join(' ')})` : `: ${end.text}`}`;
    }
    case 'broken':
      return `the response broke off: ${end.text}`;
    case 'timeout':
      return `the response did not end within ${end.seconds} s`;
  }
}
