import type { UIMessageChunk } from 'ai';
import type { RespondRequest } from '../commands/requests.ts';
import type { ApprovalFlow } from '../flow/approval-flow.ts';
import { CountersignError, type Principal, parseChatId } from '../protocol/index.ts';
import { nullIfNotFound, toErrorJson } from '../server/errors.ts';
import { isSessionEnd } from '../server/identity/session-watch.ts';
import type { ConcurrencyLimit } from '../server/limits/concurrency-limit.ts';
import type { ChatLimits } from '../server/limits/size-limits.ts';
import { readToEnd } from '../server/read-to-end.ts';
import type { RepeatedAnswers } from '../server/repeats/repeated-answers.ts';
import { callOptionsOfChat } from '../server/requests/call-options.ts';
import { parseChatRequest } from '../server/requests/chat-request.ts';
import { identify, type ServerSettings } from '../server/route.ts';
import { createSafeChunks } from '../server/safe-chunks.ts';
import type { FlowStream } from '../views/flow-stream.ts';
import { projectStream } from '../views/reader/project-stream.ts';
import type { Projection } from '../views/reader/projection.ts';
import { endSession } from './close-when-session-ends.ts';
import { type ClientFrame, formatFrame, openFrame, parseFrame, type ServerFrame } from './frames.ts';
import { type Socket, type SocketData, textOf } from './socket.ts';
import type { SendMessage } from './socket-writer.ts';

export type ConnectionSettings = ServerSettings & {
  readonly concurrencyLimit: ConcurrencyLimit;
  readonly limits: ChatLimits;
  /** The most requests that one socket may have open at the same time. */
  readonly maxOpenRequests: number;
  readonly repeated: RepeatedAnswers;
};

type SendFrame = Extract<ClientFrame, { type: 'send' }>;
type ResumeFrame = Exclude<ClientFrame, { type: 'send' | 'abort' }>;

/** What is read for a request, and how it is sent. */
type Response = { readonly stream: FlowStream; readonly chunks: Projection<UIMessageChunk> };

type OpenRequest = { readonly requestId: string; readonly aborted: AbortController };

/** One socket. Most sockets wait, so it keeps little: no function of its own, and no `Map`. */
type Connection = {
  readonly flow: ApprovalFlow;
  readonly settings: ConnectionSettings;
  readonly socket: Socket;
  /** The upgrade request, which identifies the person. It is authorized again for every frame. */
  readonly handshake: Request;
  readonly send: SendMessage;
  open: readonly OpenRequest[];
  /** Requests begin in the order of their frames, although authorization is asynchronous. */
  order: Promise<unknown> | undefined;
};

/** Why a request is aborted by a frame: its client no longer wants it. A socket that closes says nothing of that kind. */
const takenBack = Symbol('taken back');

/**
 * Serves one socket: many chats, each request with its own stream. A frame that cannot be parsed closes the socket (1008).
 * Any other fault gets an `error` frame for its request.
 *
 * @returns to be called when the socket has closed
 * @source H3
 */
export function serveConnection(
  flow: ApprovalFlow,
  settings: ConnectionSettings,
  { socket, handshake, send }: Pick<Connection, 'socket' | 'handshake' | 'send'>,
): () => void {
  const connection: Connection = { flow, settings, socket, handshake, send, open: [], order: undefined };
  socket.on('message', (data, isBinary) => receive(connection, isBinary ? undefined : data));
  return () => {
    for (const { aborted } of connection.open) aborted.abort();
    connection.open = [];
  };
}

function receive(connection: Connection, data: SocketData | undefined): void {
  const { socket } = connection;
  // Ignores frames that arrive after the close.
  if (socket.readyState !== socket.OPEN) return;
  const frame = data && openFrame(textOf(data));
  if (!frame) {
    socket.close(1008, 'A frame could not be parsed.');
    return;
  }
  const { requestId, fields } = frame;
  try {
    accept(connection, parseFrame(requestId, fields));
  } catch (error) {
    refuse(connection, requestId, error);
  }
}

function accept(connection: Connection, frame: ClientFrame): void {
  const { open, settings } = connection;
  const { requestId } = frame;
  const same = open.find((request) => request.requestId === requestId);
  if (frame.type === 'abort' || same) {
    connection.open = open.filter((request) => request !== same);
    same?.aborted.abort(frame.type === 'abort' ? takenBack : undefined);
    if (frame.type === 'abort') return;
    throw new CountersignError('invalid-request', 'This request id is taken by an open request.');
  }
  if (open.length >= settings.maxOpenRequests) {
    throw new CountersignError(
      'rate-limited',
      `This socket has ${settings.maxOpenRequests} open requests. Wait until one has ended.`,
    );
  }
  const request = { requestId, aborted: new AbortController() };
  connection.open = [...open, request];
  void answer(connection, frame, request);
}

async function answer(
  connection: Connection,
  frame: SendFrame | ResumeFrame,
  request: OpenRequest,
): Promise<void> {
  const { settings, handshake, order } = connection;
  const { requestId, aborted } = request;
  let release = () => {};
  async function start() {
    await order;
    const principal = await identify(settings, handshake);
    release = settings.concurrencyLimit.acquire('requests', principal);
    return begin(connection, frame, principal, aborted.signal);
  }
  try {
    const begins = start();
    // Keeps nothing of what began.
    connection.order = begins.then(
      () => {},
      () => {},
    );
    const { begun } = await begins;
    await deliver(connection, requestId, await begun, aborted.signal);
  } catch (error) {
    if (!aborted.signal.aborted) refuse(connection, requestId, error);
  } finally {
    release();
    connection.open = connection.open.filter((one) => one !== request);
  }
}

async function begin(
  { flow, settings, handshake }: Connection,
  frame: SendFrame | ResumeFrame,
  principal: Principal,
  signal: AbortSignal,
): Promise<{ readonly begun: Promise<Response | null> }> {
  const { logger } = settings;
  if (frame.type === 'send') {
    const { request: body } = frame;
    const request = await requestOf(settings, handshake, body, principal);
    // A network that hung brings an answer together with the frame that takes it back.
    if (request.answers?.length && signal.reason === takenBack) throw takenBack;
    // The next frame is read when this request has begun. Its end is not awaited.
    const begun = flow.chats.respond(request).then((stream) => {
      const { view } = stream;
      const chunks = settings.repeated(createSafeChunks(view, logger), { body, principal, view });
      return { stream, chunks };
    });
    return { begun };
  }
  const chatId = parseChatId(frame.chatId);
  const resumed = flow.chats.resume({ principal, chatId }).catch(nullIfNotFound);
  return {
    begun: resumed.then((stream) => stream && { stream, chunks: createSafeChunks(stream.view, logger) }),
  };
}

function refuse({ socket, send, settings }: Connection, requestId: string, error: unknown): void {
  if (socket.readyState !== socket.OPEN) return;
  const errorText = JSON.stringify(toErrorJson(error, settings.logger).body);
  send(formatFrame({ type: 'error', requestId, errorText })).catch(() => {});
  if (isSessionEnd(error)) endSession(socket);
}

async function deliver(
  { send }: Connection,
  requestId: string,
  response: Response | null,
  signal: AbortSignal,
): Promise<void> {
  if (!response) {
    await send(formatFrame({ type: 'no-active', requestId }));
    return;
  }
  const frames = responseFrames(response.chunks, requestId);
  await readToEnd(projectStream(response.stream, frames), signal, (frame) => send(formatFrame(frame)));
}

async function requestOf(
  settings: ConnectionSettings,
  handshake: Request,
  body: SendFrame['request'],
  principal: Principal,
): Promise<RespondRequest> {
  const chatRequest = parseChatRequest(body, settings.limits);
  const context = { request: handshake, principal, body };
  const options = await callOptionsOfChat(settings, chatRequest, context);
  return { ...chatRequest, ...options, principal, via: 'bidi' };
}

function responseFrames(chunks: Projection<UIMessageChunk>, requestId: string): Projection<ServerFrame> {
  let sequence = 0;
  const toFrame = (chunk: UIMessageChunk): ServerFrame => {
    const frame = { type: 'chunk', requestId, sequence, chunk } as const;
    sequence += 1;
    return frame;
  };
  const last: ServerFrame = { type: 'end', requestId };
  return {
    start: () => [{ type: 'start', requestId }],
    apply: (item) => chunks.apply(item).map(toFrame),
    end: () => [...(chunks.end?.() ?? []).map(toFrame), last],
    fail: (error) => [...(chunks.fail?.(error) ?? []).map(toFrame), last],
  };
}
