import type { UIMessageChunk } from 'ai';
import type { ApprovalFlow } from '../flow/approval-flow.ts';
import { parseChatId } from '../protocol/index.ts';
import { limitsOf } from '../server/chat-limits.ts';
import { parseChatRequest } from '../server/chat-request.ts';
import { withConcurrencyLimit } from '../server/concurrency-limit.ts';
import type { OpenRequest } from '../server/counted-response.ts';
import { defaultKeepAliveMs, eventStreamResponse } from '../server/event-stream.ts';
import type { FrameReader } from '../server/joined-frames.ts';
import { responseChunks } from '../server/response-chunks.ts';
import { resumeIfAny } from '../server/resume-if-any.ts';
import { createRoute, type Route, type ServerSettings } from '../server/route.ts';
import { checkServerSettings } from '../server/server-settings.ts';
import { systemClock } from '../server/system-clock.ts';
import type { ChunkReader } from '../views/chunks/ui-chunks.ts';
import type { FlowStream } from '../views/flow-stream.ts';

/** What `createSseHandlers` takes. */
export type SseSettings = ServerSettings & {
  /** Silence after which a comment is sent. Default 15,000 ms. */
  readonly keepAliveMs?: number;
};

/**
 * The AI SDK's chat endpoints over server-sent events, for an unmodified `DefaultChatTransport` and for ours; ready
 * as Next route exports (`export const { POST } = handlers.chat`).
 *
 * `chat.POST` is `POST /api/chat`; `stream.GET` is `GET /api/chat/{chatId}/stream`. A client that goes away detaches
 * its reader; the run goes on.
 *
 * @throws CountersignError `invalid-settings` for settings that are misspelt or of the wrong kind, and without `authorize`
 * @source contract H1, H2, H5
 */
export function createSseHandlers(
  flow: ApprovalFlow,
  given: SseSettings,
): { chat: { POST: Route }; stream: { GET: Route } } {
  checkServerSettings('createSseHandlers', given);
  const settings = withConcurrencyLimit(given);
  const limits = limitsOf(settings);

  const post = createRoute(settings, async ({ principal, json, keepOpen }) => {
    const chatRequest = parseChatRequest(await json(), limits);
    const stream = await flow.respond({ ...chatRequest, principal, via: 'sse' });
    return streamResponse(stream, settings, keepOpen());
  });

  const resume = createRoute(settings, async ({ principal, segment, keepOpen }) => {
    const chatId = parseChatId(segment(1));
    const stream = await resumeIfAny(flow, { principal, chatId });
    return stream ? streamResponse(stream, settings, keepOpen()) : new Response(null, { status: 204 });
  });

  return { chat: { POST: post }, stream: { GET: resume } };
}

function streamResponse(stream: FlowStream, settings: SseSettings, request: OpenRequest): Response {
  const { logger, clock = systemClock, keepAliveMs = defaultKeepAliveMs } = settings;
  return eventStreamResponse(frameReader(responseChunks(stream, logger)), {
    clock,
    keepAliveMs,
    ...request,
    headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
  });
}

function frameReader(chunks: ChunkReader): FrameReader {
  let isOver = false;
  return {
    async read() {
      if (isOver) return { done: true };
      const ready = await chunks.read();
      isOver = ready.length === 0;
      return { done: false, value: isOver ? 'data: [DONE]\n\n' : ready.map(frameOf).join('') };
    },
    cancel: (reason) => chunks.cancel(reason),
  };
}

function frameOf(chunk: UIMessageChunk): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
