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
import { type Socket, textOf } from './socket.ts';
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

type OpenRequest = { readonly aborted: AbortController };

/** Why a request is aborted by a frame: its client no longer wants it. A socket that closes says nothing of that kind. */
const takenBack = Symbol('taken back');

/**
 * Serves one socket: many chats, each request with its own stream. A frame that cannot be parsed closes the socket (1008).
 * Any other fault gets an `error` frame for its request.
 *
 * @param connection.handshake the upgrade request, which identifies the person. It is authorized again for every frame
 * @source H3
 */
export function serveConnection(
  flow: ApprovalFlow,
  settings: ConnectionSettings,
  { socket, handshake, send }: { socket: Socket; handshake: Request; send: SendMessage },
): void {
  const sendFrame = (frame: ServerFrame) => send(formatFrame(frame));
  const open = new Map<string, OpenRequest>();
  /** Requests begin in the order of their frames, although authorization is asynchronous. */
  let order: Promise<unknown> = Promise.resolve();

  socket.on('message', (data, isBinary) => {
    // Ignores frames that arrive after the close.
    if (socket.readyState !== socket.OPEN) return;
    const frame = isBinary ? undefined : openFrame(textOf(data));
    if (!frame) {
      socket.close(1008, 'A frame could not be parsed.');
      return;
    }
    const { requestId, fields } = frame;
    try {
      accept(parseFrame(requestId, fields));
    } catch (error) {
      refuse(requestId, error);
    }
  });
  socket.on('close', () => {
    for (const { aborted } of open.values()) aborted.abort();
    open.clear();
  });

  function accept(frame: ClientFrame): void {
    const { requestId } = frame;
    const same = open.get(requestId);
    if (frame.type === 'abort' || same) {
      open.delete(requestId);
      same?.aborted.abort(frame.type === 'abort' ? takenBack : undefined);
      if (frame.type === 'abort') return;
      throw new CountersignError('invalid-request', 'This request id is taken by an open request.');
    }
    if (open.size >= settings.maxOpenRequests) {
      throw new CountersignError(
        'rate-limited',
        `This socket has ${settings.maxOpenRequests} open requests. Wait until one has ended.`,
      );
    }
    const aborted = new AbortController();
    open.set(requestId, { aborted });
    let release = () => {};
    const stream = order.then(async () => {
      const principal = await identify(settings, handshake);
      release = settings.concurrencyLimit.acquire('requests', principal);
      return begin(frame, principal, aborted.signal);
    });
    order = stream.catch(() => {});
    stream
      .then<Response | null>(({ begun }) => begun)
      .then((begun) => deliver(sendFrame, requestId, begun, aborted.signal))
      .catch((error: unknown) => !aborted.signal.aborted && refuse(requestId, error))
      .finally(() => {
        release();
        if (open.get(requestId)?.aborted === aborted) open.delete(requestId);
      });
  }

  async function begin(frame: SendFrame | ResumeFrame, principal: Principal, signal: AbortSignal) {
    if (frame.type === 'send') {
      const request = await requestOf(settings, handshake, frame, principal);
      // A network that hung brings an answer together with the frame that takes it back.
      if (request.answers?.length && signal.reason === takenBack) throw takenBack;
      // The next frame is read when this request has begun. Its end is not awaited.
      return { begun: respond(request, frame.request) };
    }
    const chatId = parseChatId(frame.chatId);
    const resumed = flow.chats.resume({ principal, chatId }).catch(nullIfNotFound);
    return { begun: resumed.then((stream) => stream && responseOf(stream)) };
  }

  async function respond(request: RespondRequest, body: unknown): Promise<Response> {
    const stream = await flow.chats.respond(request);
    const { chunks } = responseOf(stream);
    const { principal } = request;
    return { stream, chunks: settings.repeated(chunks, { body, principal, view: stream.view }) };
  }

  function responseOf(stream: FlowStream): Response {
    return { stream, chunks: createSafeChunks(stream.view, settings.logger) };
  }

  function refuse(requestId: string, error: unknown): void {
    if (socket.readyState !== socket.OPEN) return;
    const errorText = JSON.stringify(toErrorJson(error, settings.logger).body);
    sendFrame({ type: 'error', requestId, errorText }).catch(() => {});
    if (isSessionEnd(error)) endSession(socket);
  }
}

async function deliver(
  sendFrame: (frame: ServerFrame) => Promise<void>,
  requestId: string,
  response: Response | null,
  signal: AbortSignal,
): Promise<void> {
  if (!response) {
    await sendFrame({ type: 'no-active', requestId });
    return;
  }
  const frames = responseFrames(response.chunks, requestId);
  await readToEnd(projectStream(response.stream, frames), signal, sendFrame);
}

async function requestOf(
  settings: ConnectionSettings,
  handshake: Request,
  { request: body }: SendFrame,
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
