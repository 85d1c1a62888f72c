import type { UIMessageChunk } from 'ai';
import type { ChunkReader } from '../flow/projections/ui-chunks.ts';
import type { ApprovalFlow, FlowStream } from '../flow/types.ts';
import { type ChatLimits, defaultChatLimits, parseChatRequest } from '../http/chat-request.ts';
import { defaultKeepAliveMs, eventStreamResponse } from '../http/event-stream.ts';
import type { FrameReader } from '../http/joined-frames.ts';
import { readJson } from '../http/read-json.ts';
import { responseChunks } from '../http/response-chunks.ts';
import { resumeIfAny } from '../http/resume-if-any.ts';
import { createRoute, type Route, type ServerSettings, type Visit } from '../http/route.ts';
import { checkServerSettings } from '../http/server-settings.ts';
import { systemClock } from '../http/system-clock.ts';
import { parseChatId } from '../vocabulary/index.ts';

/** What `createSseHandlers` takes. */
export type SseSettings = ServerSettings & {
  readonly limits?: Partial<ChatLimits>;
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
  settings: SseSettings,
): { chat: { POST: Route }; stream: { GET: Route } } {
  checkServerSettings('createSseHandlers', settings);
  const limits = { ...defaultChatLimits, ...settings.limits };

  const post = createRoute(settings, async ({ principal, request, watchSession }) => {
    const chatRequest = parseChatRequest(await readJson(request, limits.bodyBytes), limits);
    const stream = await flow.respond({ ...chatRequest, principal, via: 'sse' });
    return streamResponse(stream, settings, watchSession);
  });

  const resume = createRoute(settings, async ({ principal, segment, watchSession }) => {
    const chatId = parseChatId(segment(1));
    const stream = await resumeIfAny(flow, { principal, chatId });
    return stream ? streamResponse(stream, settings, watchSession) : new Response(null, { status: 204 });
  });

  return { chat: { POST: post }, stream: { GET: resume } };
}

function streamResponse(
  stream: FlowStream,
  settings: SseSettings,
  watchSession: Visit['watchSession'],
): Response {
  const { logger, clock = systemClock, keepAliveMs = defaultKeepAliveMs } = settings;
  return eventStreamResponse(frameReader(responseChunks(stream, logger)), {
    clock,
    keepAliveMs,
    watchSession,
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
