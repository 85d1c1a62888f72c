import type { ApprovalFlow } from '../flow/approval-flow.ts';
import { CountersignError, type Principal, parseChatId } from '../protocol/index.ts';
import type { ChatLimits } from '../server/chat-limits.ts';
import { parseChatRequest } from '../server/chat-request.ts';
import type { ConcurrencyLimit } from '../server/concurrency-limit.ts';
import { toErrorJson } from '../server/errors.ts';
import { responseChunks } from '../server/response-chunks.ts';
import { resumeIfAny } from '../server/resume-if-any.ts';
import { identify, type ServerSettings } from '../server/route.ts';
import { isSessionEnd } from '../server/session-watch.ts';
import type { FlowStream } from '../views/flow-stream.ts';
import { type ClientFrame, formatFrame, openFrame, parseFrame, type ServerFrame } from './frames.ts';
import type { Outlet } from './outlet.ts';
import { endSession } from './session-end.ts';
import { type Socket, textOf } from './socket.ts';

/** What one connection needs. */
export type ConnectionSettings = ServerSettings & {
  readonly concurrencyLimit: ConcurrencyLimit;
  readonly limits: ChatLimits;
  /** Most requests of one socket that may be open at once. */
  readonly maxOpenRequests: number;
};

type OpenRequest = { readonly aborted: AbortController };

/**
 * Serves one socket: many chats, each request a stream of its own. A frame that cannot be parsed closes the socket
 * (1008); everything else that is wrong is an `error` frame for its request.
 *
 * @param connection.handshake the upgrade request, which says who is there; asked again for every frame
 * @source contract H3
 */
export function serveConnection(
  flow: ApprovalFlow,
  settings: ConnectionSettings,
  { socket, handshake, send }: { socket: Socket; handshake: Request; send: Outlet },
): void {
  const sendFrame = (frame: ServerFrame) => send(formatFrame(frame));
  const open = new Map<string, OpenRequest>();
  /** Frames begin in the order they came, though knowing who sent them takes a moment. */
  let order: Promise<unknown> = Promise.resolve();

  socket.on('message', (data, isBinary) => {
    // Frames that were on their way when we closed.
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
      same?.aborted.abort();
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
      // Begun, and not waited for, before the next frame is looked at.
      return { begun: begin(frame, principal) };
    });
    order = stream.catch(() => {});
    stream
      .then(({ begun }) => begun)
      .then((begun) => deliver(requestId, begun, aborted.signal))
      .catch((error: unknown) => !aborted.signal.aborted && refuse(requestId, error))
      .finally(() => {
        release();
        if (open.get(requestId)?.aborted === aborted) open.delete(requestId);
      });
  }

  async function begin(
    frame: Exclude<ClientFrame, { type: 'abort' }>,
    principal: Principal,
  ): Promise<FlowStream | null> {
    if (frame.type === 'send') {
      return flow.respond({ ...parseChatRequest(frame.request, settings.limits), principal, via: 'bidi' });
    }
    return resumeIfAny(flow, { principal, chatId: parseChatId(frame.chatId) });
  }

  async function deliver(requestId: string, stream: FlowStream | null, signal: AbortSignal): Promise<void> {
    if (!stream) {
      await sendFrame({ type: 'no-active', requestId });
      return;
    }
    const reader = responseChunks(stream, settings.logger);
    // Detaches this reader; the run goes on without it.
    const detach = () => void reader.cancel().catch(() => {});
    signal.addEventListener('abort', detach, { once: true });
    if (signal.aborted) return detach();

    await sendFrame({ type: 'start', requestId });
    let sequence = 0;
    for (let ready = await reader.read(); ready.length > 0; ready = await reader.read()) {
      for (const chunk of ready) {
        if (signal.aborted) return;
        await sendFrame({ type: 'chunk', requestId, sequence, chunk });
        sequence += 1;
      }
    }
    if (!signal.aborted) await sendFrame({ type: 'end', requestId });
  }

  function refuse(requestId: string, error: unknown): void {
    if (socket.readyState !== socket.OPEN) return;
    const errorText = JSON.stringify(toErrorJson(error, settings.logger).body);
    sendFrame({ type: 'error', requestId, errorText }).catch(() => {});
    if (isSessionEnd(error)) endSession(socket);
  }
}
