import type { Dialect } from 'countersign/http/server';
import { chatSocket } from 'countersign/plugins/chat-socket';
import { toolEvents } from 'countersign/plugins/tool-events';

/** A socket over which a person answers, and what it says to a person who is not signed in. */
export type AnsweringSocket = {
  readonly path: string;
  readonly answer: (approvalId: string) => object;
  readonly refusal: string;
};

/** What a dialect keeps open. */
export type DialectStreams = {
  readonly dialect: Dialect;
  readonly socket?: AnsweringSocket;
  /** A request that is answered by a stream. */
  readonly stream?: { readonly path: string; readonly body: object };
};

/** The dialects whose sockets and streams end with a session. */
export const dialectStreams: readonly DialectStreams[] = [
  {
    dialect: chatSocket(),
    socket: {
      path: '/api/dialects/chat-socket',
      answer: (approvalId) => ({
        type: 'tool_approval_response',
        approval_id: approvalId,
        approved: true,
      }),
      refusal: 'ACCESS_DENIED',
    },
  },
  {
    dialect: toolEvents(),
    stream: { path: '/api/dialects/tool-events', body: { message: 'Pay Alice.' } },
  },
];
