import { formatFrame, openFrame, parseFrame, type ServerFrame } from '../../bidi/frames.ts';
import { createSocketServer, type SocketServer } from '../../bidi/server.ts';
import { toErrorJson } from '../../server/errors.ts';
import type { ServerSettings } from '../../server/route.ts';
import type { TextSocket } from '../../server/text-socket.ts';
import { responseChunks } from '../chunks/read-responses.ts';

/**
 * Serves the frames of the SDK's `WebSocketChatTransport` from a chat over HTTP, such as a plain `streamText` route. A
 * `send` frame becomes `POST /api/chat`, a `resume` frame becomes `GET /api/chat/{id}/stream`, and chunks become
 * frames.
 *
 * @param fetch the HTTP chat; refusals (not 2xx) become `error` frames, 204 becomes `no-active`
 * @source H3
 */
export function socketOverFetch(
  fetch: (request: Request) => Promise<Response>,
  settings: ServerSettings,
): SocketServer {
  return createSocketServer(settings, (socket) => {
    const open = new Map<string, AbortController>();
    return {
      receive(text) {
        const frame = text === undefined ? undefined : openFrame(text);
        if (!frame) return socket.close(1008, 'A frame could not be parsed.');
        void serveFrame(frame.requestId, frame.fields);
      },
      leave: () => {
        for (const aborted of open.values()) aborted.abort();
      },
    };

    async function serveFrame(requestId: string, fields: Readonly<Record<string, unknown>>): Promise<void> {
      try {
        const frame = parseFrame(requestId, fields);
        open.get(requestId)?.abort();
        if (frame.type === 'abort') return;
        const aborted = new AbortController();
        open.set(requestId, aborted);
        const request = frame.type === 'send' ? postOf(frame.request) : resumeOf(String(frame.chatId));
        await relay(socket, requestId, await fetch(request), aborted.signal);
      } catch (error) {
        const errorText = JSON.stringify(toErrorJson(error, settings.logger).body);
        await sendFrame(socket, { type: 'error', requestId, errorText });
      } finally {
        open.delete(requestId);
      }
    }
  });
}

async function relay(
  socket: TextSocket,
  requestId: string,
  response: Response,
  signal: AbortSignal,
): Promise<void> {
  if (!response.ok) {
    return sendFrame(socket, { type: 'error', requestId, errorText: await response.text() });
  }
  if (response.status === 204) return sendFrame(socket, { type: 'no-active', requestId });
  await sendFrame(socket, { type: 'start', requestId });
  let sequence = 0;
  for await (const chunk of responseChunks(response)) {
    if (signal.aborted) return;
    await sendFrame(socket, { type: 'chunk', requestId, sequence, chunk });
    sequence += 1;
  }
  await sendFrame(socket, { type: 'end', requestId });
}

/** Nothing is sent to a closed socket. */
async function sendFrame(socket: TextSocket, frame: ServerFrame): Promise<void> {
  await socket.send(formatFrame(frame)).catch(() => {});
}

const address = 'http://127.0.0.1/api/chat';

function postOf(body: Readonly<Record<string, unknown>>): Request {
  return new Request(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

function resumeOf(chatId: string): Request {
  return new Request(`${address}/${encodeURIComponent(chatId)}/stream`);
}
