import type { UIMessageChunk } from 'ai';
import type { ApprovalFlow } from '../flow/approval-flow.ts';
import type { OpenRequest, Route } from '../flow/plugin/http.ts';
import { systemClock } from '../protocol/clock/system-clock.ts';
import { parseChatId } from '../protocol/index.ts';
import { nullIfNotFound } from '../server/errors.ts';
import { eventFrames } from '../server/event-stream/event-frames.ts';
import { defaultKeepAliveMs, eventStreamResponse } from '../server/event-stream/event-stream.ts';
import { withConcurrencyLimit } from '../server/limits/concurrency-limit.ts';
import { limitsOf } from '../server/limits/size-limits.ts';
import { createRepeatedAnswers } from '../server/repeats/repeated-answers.ts';
import { callOptionsOfChat } from '../server/requests/call-options.ts';
import { parseChatRequest } from '../server/requests/chat-request.ts';
import { createRoute, type ServerSettings } from '../server/route.ts';
import { createSafeChunks } from '../server/safe-chunks.ts';
import { checkServerSettings } from '../server/server-settings.ts';
import type { FlowStream } from '../views/flow-stream.ts';
import { projectStream } from '../views/reader/project-stream.ts';
import type { Projection } from '../views/reader/projection.ts';

const lastFrame = 'data: [DONE]\n\n';

/** Settings of `createSseHandlers`. */
export type SseSettings = ServerSettings & {
  /** Silence after which a comment is sent. Default 15,000 ms. */
  readonly keepAliveMs?: number;
};

/**
 * The AI SDK's chat endpoints over server-sent events, for an unmodified `DefaultChatTransport` and for ours; ready
 * as Next route exports (`export const { POST } = handlers.chat`).
 *
 * `chat.POST` is `POST /api/chat`; `stream.GET` is `GET /api/chat/{chatId}/stream`. A client that disconnects
 * detaches its reader. The run continues.
 *
 * @throws CountersignError `invalid-settings` for settings that are misspelled or of the wrong type, and
 *   without `authorize`
 * @source H1, H2, H5
 */
export function createSseHandlers(
  flow: ApprovalFlow,
  given: SseSettings,
): { chat: { POST: Route }; stream: { GET: Route } } {
  checkServerSettings('createSseHandlers', given);
  const settings = withConcurrencyLimit(given);
  const limits = limitsOf(settings);
  const { logger } = settings;
  const repeated = createRepeatedAnswers(settings, 'countersign/sse');

  const post = createRoute(settings, async ({ request, principal, json, keepOpen }) => {
    const body = await json();
    const chatRequest = parseChatRequest(body, limits);
    const options = await callOptionsOfChat(settings, chatRequest, { request, principal, body });
    const stream = await flow.chats.respond({ ...chatRequest, ...options, principal, via: 'sse' });
    const chunks = repeated(createSafeChunks(stream.view, logger), { body, principal, view: stream.view });
    return streamResponse(stream, chunks, settings, keepOpen());
  });

  const resume = createRoute(settings, async ({ principal, segment, keepOpen }) => {
    const chatId = parseChatId(segment(1));
    const stream = await flow.chats.resume({ principal, chatId }).catch(nullIfNotFound);
    if (!stream) return new Response(null, { status: 204 });
    return streamResponse(stream, createSafeChunks(stream.view, logger), settings, keepOpen());
  });

  return { chat: { POST: post }, stream: { GET: resume } };
}

function streamResponse(
  stream: FlowStream,
  chunks: Projection<UIMessageChunk>,
  { clock = systemClock, keepAliveMs = defaultKeepAliveMs }: SseSettings,
  request: OpenRequest,
): Response {
  const frames = eventFrames(chunks, frameOf, lastFrame);
  return eventStreamResponse(projectStream(stream, frames), {
    clock,
    keepAliveMs,
    ...request,
    headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
  });
}

function frameOf(chunk: UIMessageChunk): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
