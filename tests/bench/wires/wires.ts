/** A turn that has begun. */
export type BegunTurn = { readonly chatId: string; readonly runId: string };

/** What a reader sends: a request, and over a socket its first frame. */
export type Reading = { readonly path: string; readonly frame?: string };

/** A wire over which a turn can be read. */
export type Wire = {
  readonly name: WireName;
  readonly reading: (turn: BegunTurn) => Reading;
};

/** The name of a wire, as the tables show it. */
export type WireName =
  | 'UI stream (SSE)'
  | 'UI stream (BIDI)'
  | 'tool events'
  | 'two-step stream'
  | 'chat socket'
  | 'Responses';

/** Every wire. The first one is what the others are compared with. */
export const wires: readonly Wire[] = [
  { name: 'UI stream (SSE)', reading: ({ chatId }) => ({ path: `/api/chat/${chatId}/stream` }) },
  {
    name: 'UI stream (BIDI)',
    reading: ({ chatId: id }) => ({
      path: '/api/chat/socket',
      frame: JSON.stringify({ type: 'resume', requestId: 'reader', id, headers: {}, body: {} }),
    }),
  },
  {
    name: 'tool events',
    reading: ({ chatId }) => ({ path: `/api/dialects/tool-events/stream?conversationId=${chatId}` }),
  },
  {
    name: 'two-step stream',
    reading: ({ chatId, runId }) => ({ path: `/api/chat/stream/${chatId}.${runId}` }),
  },
  {
    name: 'chat socket',
    reading: ({ chatId: conversation_id }) => ({
      path: '/api/dialects/chat-socket',
      frame: JSON.stringify({ type: 'resume', conversation_id, accept_approvals: true }),
    }),
  },
  {
    name: 'Responses',
    reading: ({ chatId, runId }) => ({ path: `/v1/responses/resp_${chatId}.${runId}?stream=true` }),
  },
];
