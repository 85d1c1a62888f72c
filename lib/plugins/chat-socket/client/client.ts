import { DialectClient } from '../../../dialects/client/dialect-client.ts';
import { randomId } from '../../../dialects/client/random-id.ts';
import {
  addressOf,
  headersOf,
  type ServerAddress,
  sendRequest,
} from '../../../dialects/client/server-request.ts';
import { parseJson } from '../../../protocol/json.ts';
import { type ToolResultJson, toolResultSchema } from '../../../protocol/wire/tool-result.ts';
import { connectionLost, refusalOverHttp } from './error.ts';
import { createExchange, type Exchange, type ReadingFrame } from './exchange.ts';
import { reduceSocketTurns, type SocketTurns } from './reducer.ts';
import { type ClientFrame, type ServerFrame, serverFrameSchema } from './schema.ts';
import { type ClientSocketClass, createReconnectingSocket } from './socket.ts';

/**
 * What `ChatSocketClient` takes. A browser sends no headers with a WebSocket: it has cookies. `fetch` fetches full results,
 * and nothing else.
 */
export type ChatSocketClientSettings = ServerAddress & {
  /** Default: the global one. With `headers`, a class that takes them, such as that of `ws`. */
  readonly WebSocket?: ClientSocketClass;
  readonly protocols?: string | string[];
};

/**
 * A client of the chat socket, for several turns at a time. It shows questions. A lost connection is replaced, and the
 * turns that are read are resumed: their frames begin again with `started`, whose `replay` is true.
 *
 * `send`, `answer` and `resume` return the frames of a turn from then to its end. Reading is optional: `state` has all
 * turns. The iteration throws a `ChatSocketError` if the server refuses the request or the connection stays lost.
 *
 * @source D1-D26
 */
export class ChatSocketClient extends DialectClient<SocketTurns> {
  readonly #settings: ChatSocketClientSettings;
  readonly #socket: ReturnType<typeof createReconnectingSocket>;
  readonly #exchanges = new Set<Exchange>();

  constructor(settings: ChatSocketClientSettings) {
    super(new Map());
    this.#settings = settings;
    this.#socket = createReconnectingSocket({
      open: () => this.#newSocket(),
      isNeeded: () => this.#exchanges.size > 0,
      onText: (text) => this.#take(text),
      onConnection: (connection) => this.change({ connection }),
      onReconnected: () => this.#resumeAll(),
      onLost: () => this.#failAll(),
    });
  }

  /** Opens the socket. Requests do so as well. @throws ChatSocketError `CONNECTION_LOST` */
  async connect(): Promise<void> {
    if (!this.#socket.isOpen()) this.change({ connection: 'connecting' });
    await this.#socket.open().catch(() => {
      this.change({ connection: 'closed' });
      throw connectionLost();
    });
  }

  /** Begins a turn. A message that was sent twice, because a connection was lost, begins one turn. */
  send(
    content: string,
    { conversationId, streamResults }: { conversationId?: string; streamResults?: boolean } = {},
  ): AsyncIterable<ServerFrame> {
    return this.#begin({
      type: 'message',
      content,
      conversation_id: conversationId,
      client_message_id: randomId(),
      stream_results: streamResults,
      accept_approvals: true,
    });
  }

  /** Answers a question, of this socket or of another reader. */
  answer(answer: { approvalId: string; approved: boolean; reason?: string }): AsyncIterable<ServerFrame> {
    const { approvalId: approval_id, approved, reason } = answer;
    const asking = [...this.state.values()].find(({ calls }) =>
      [...calls.values()].some(({ approvalId }) => approvalId === approval_id),
    );
    return this.#begin({ type: 'tool_approval_response', approval_id, approved, reason }, asking);
  }

  /** Reads a turn from its start: that of a message, or the last one of its conversation. */
  resume({
    conversationId,
    messageId,
  }: {
    conversationId: string;
    messageId?: string;
  }): AsyncIterable<ServerFrame> {
    return this.#begin(resumeFrame(conversationId, messageId));
  }

  /** Cancels the turn of a conversation, or of all that this socket reads. */
  cancel(conversationId?: string): void {
    this.#write({ type: 'cancel', conversation_id: conversationId });
  }

  /** The full result of a call whose frame was cut. @throws ChatSocketError if the server refuses */
  async result(conversationId: string, toolCallId: string): Promise<ToolResultJson> {
    const path = `/api/chat/${encodeURIComponent(conversationId)}/tool-results/${encodeURIComponent(toolCallId)}`;
    const response = await sendRequest({ ...this.#settings, newError: refusalOverHttp }, path);
    return toolResultSchema.parse(await response.json());
  }

  /** Closes the socket and ends all iterations. The runs continue. */
  close(): void {
    this.#socket.close();
    this.#failAll();
  }

  #begin(
    frame: ReadingFrame,
    asking?: { messageId?: string; conversationId?: string },
  ): AsyncIterable<ServerFrame> {
    const { messageId, conversationId } = asking ?? {};
    const isKnown = messageId !== undefined && conversationId !== undefined;
    const exchange = createExchange(frame, isKnown ? { messageId, conversationId } : undefined);
    this.#exchanges.add(exchange);
    if (this.#socket.isOpen()) this.#write(frame);
    // While a lost connection is replaced, the request is sent with the others.
    else if (this.connection !== 'reconnecting') {
      this.connect().then(
        () => this.#write(frame),
        () => this.#failAll(),
      );
    }
    return exchange.frames;
  }

  #write(frame: ClientFrame): void {
    this.#socket.send(JSON.stringify(frame));
  }

  #take(text: string): void {
    const { data: frame } = serverFrameSchema.safeParse(parseJson(text));
    // A frame of a later version.
    if (!frame) return;
    for (const exchange of this.#exchanges) {
      const isTaken = exchange.take(frame);
      if (exchange.isOver()) this.#exchanges.delete(exchange);
      if (isTaken && frame.type === 'error' && frame.message_id === undefined) break;
    }
    this.change({ state: reduceSocketTurns(this.state, frame) });
  }

  /** Reads each turn again, once, and sends again what may not have arrived. */
  #resumeAll(): void {
    const turns = new Map(
      [...this.#exchanges].map((exchange) => [exchange.turn()?.messageId, exchange.turn()]),
    );
    for (const turn of turns.values()) {
      if (turn) this.#write(resumeFrame(turn.conversationId, turn.messageId));
    }
    for (const exchange of this.#exchanges) {
      const isAnswer = exchange.frame.type === 'tool_approval_response';
      if (isAnswer || !exchange.turn()) this.#write(exchange.repeat());
    }
  }

  #failAll(): void {
    for (const exchange of this.#exchanges) exchange.fail(connectionLost());
    this.#exchanges.clear();
  }

  async #newSocket() {
    const { WebSocket: Class = globalThis.WebSocket as ClientSocketClass, protocols } = this.#settings;
    const address = addressOf(this.#settings, '/api/dialects/chat-socket').replace(/^http/, 'ws');
    return new Class(address, protocols, { headers: await headersOf(this.#settings) });
  }
}

function resumeFrame(conversation_id: string, message_id: string | undefined) {
  return { type: 'resume', conversation_id, message_id, accept_approvals: true } as const;
}
