import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai';

/** A request for a response: the arguments of the SDK's transports. */
export type SentRequest = Pick<
  Parameters<ChatTransport<UIMessage>['sendMessages']>[0],
  'chatId' | 'trigger' | 'messageId' | 'messages'
>;

/** A refusal before any stream starts: an HTTP status, or an `error` frame on a socket. */
export type Refusal = { readonly status?: number; readonly code?: string; readonly text: string };

/** How an exchange ended. */
export type ExchangeEnd =
  | { readonly type: 'complete' }
  /** The response to a resume that found nothing. */
  | { readonly type: 'nothing' }
  | ({ readonly type: 'refused' } & Refusal)
  /** The response was cut, or is not a UI message stream. */
  | { readonly type: 'broken'; readonly text: string }
  | { readonly type: 'timeout'; readonly seconds: number };

/** One request and its complete response. */
export type Exchange = {
  /** For a resume: only the chat. */
  readonly request: SentRequest | { readonly chatId: string };
  readonly chunks: readonly UIMessageChunk[];
  readonly end: ExchangeEnd;
};

/** Describes the end of an exchange, without a full stop. */
export function describeEnd(end: ExchangeEnd): string {
  switch (end.type) {
    case 'complete':
      return 'it was answered by a response';
    case 'nothing':
      return 'there was nothing to resume';
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
