import { beginTurn, notFitting } from '../../dialects/begin-turn.ts';
import { brokenOffText } from '../../dialects/turn-text.ts';
import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import type { AuthorizedRequest, Endpoint } from '../../flow/plugin/http.ts';
import { systemClock } from '../../protocol/clock/system-clock.ts';
import { type ChatId, CountersignError, parseChatId, parseToolCallId } from '../../protocol/index.ts';
import type { SharedSettings } from '../../server/dialect.ts';
import { defaultKeepAliveMs, eventStreamResponse } from '../../server/event-stream/event-stream.ts';
import { callOptionsField } from '../../server/requests/call-options.ts';
import { createRoute } from '../../server/route.ts';
import { toolResultResponse } from '../../server/routes/tool-results.ts';
import type { FlowStream } from '../../views/flow-stream.ts';
import { toolEventsRequestSchema, toolEventsRetrySchema } from './client/schema.ts';
import { parseFrameId } from './frame-id.ts';
import { messageFrames, resumableFrames } from './frames.ts';
import { lastMessage } from './last-message.ts';
import { conversationJson } from './stored-conversation.ts';

const via = 'tool-events';

/**
 * The tool invocation events. `POST /api/dialects/tool-events` `{ conversationId?, message }` is one turn as a
 * stream, over all its questions. A client that sends `accept-approvals: 1` receives questions (and answers them
 * at `POST /api/approvals/{id}`); for any other, gated calls are denied.
 *
 * `GET /api/dialects/tool-events?conversationId=…` is a stored conversation, as content blocks.
 *
 * `GET …/tool-events/stream?conversationId=…` replays the last message from its start, or after `Last-Event-ID`, with an id
 * on each frame, until it ends. With `follow=1` it stays open for later messages.
 *
 * `POST …/tool-events/retry` `{ conversationId, toolCallId }` makes a failed call of the last message again, and streams
 * that message from its start.
 *
 * `GET …/tool-events/result?conversationId=…&toolCallId=…` is the result of a call whose output was sent by reference.
 *
 * @source A1-A26
 */
export function toolEventsEndpoints(flow: ApprovalFlow, settings: SharedSettings): readonly Endpoint[] {
  const { clock = systemClock, logger } = settings;

  /** The message of a stream, as the response to the request that began or continued it. */
  function streamMessage(
    stream: FlowStream,
    chatId: ChatId,
    { request, keepOpen }: AuthorizedRequest,
  ): Response {
    const frames = messageFrames(stream, { chatId, asks: asksPeople(request), logger });
    return eventStreamResponse(frames, { clock, keepAliveMs: defaultKeepAliveMs, ...keepOpen() });
  }

  async function send(visit: AuthorizedRequest): Promise<Response> {
    const { principal, json, request } = visit;
    const body = await json();
    const parsed = toolEventsRequestSchema.safeParse(body);
    if (!parsed.success) throw notFitting('The request', parsed.error.issues[0]);
    const { message: text, conversationId } = parsed.data;
    const options = await callOptionsField(settings, { request, principal, body });
    const asked = {
      principal,
      text,
      chatId: conversationId,
      ...options,
      unsupportedByClient: unsupportedBy(request),
      via,
    };
    const { chatId, stream } = await beginTurn(flow, asked);
    return streamMessage(stream, chatId, visit);
  }

  async function retry(visit: AuthorizedRequest): Promise<Response> {
    const { principal, json, request } = visit;
    const parsed = toolEventsRetrySchema.safeParse(await json());
    if (!parsed.success) throw notFitting('The request', parsed.error.issues[0]);
    const chatId = parseChatId(parsed.data.conversationId);
    const toolCallId = parseToolCallId(parsed.data.toolCallId);
    const unsupportedByClient = unsupportedBy(request);
    const stream = await flow.chats.retryCall({
      principal,
      chatId,
      toolCallId,
      until: 'turn',
      unsupportedByClient,
    });
    if (stream) return streamMessage(stream, chatId, visit);
    const problem = `The last message of ${chatId} has no call ${toolCallId}.`;
    throw new CountersignError('not-found', problem, { chatId, toolCallId });
  }

  async function read({ principal, query }: AuthorizedRequest): Promise<Response> {
    const chatId = conversationOf(query);
    return Response.json(conversationJson(await flow.chats.timeline({ principal, chatId }), chatId));
  }

  function result({ principal, query }: AuthorizedRequest): Promise<Response> {
    const chatId = conversationOf(query);
    return toolResultResponse(flow, { principal, chatId, toolCallId: query.get('toolCallId') });
  }

  async function replay({ principal, query, request, keepOpen }: AuthorizedRequest): Promise<Response> {
    const chatId = conversationOf(query);
    const follows = query.get('follow') === '1';
    const log = await flow.chats.timeline({ principal, chatId });
    const { runId, endedAt } = lastMessage(log);
    const seen = parseFrameId(chatId, lastEventIdOf(request));
    const isOver = endedAt !== undefined && seen !== undefined && seen.seq >= endedAt;
    const until = follows ? 'chat' : 'turn';
    const stream =
      runId && (follows || !isOver) && (await flow.chats.follow({ principal, chatId, runId, until }));
    // This status ends an `EventSource`, which would reconnect otherwise.
    if (!stream) return new Response(null, { status: 204 });
    const frames = resumableFrames(stream, {
      chatId,
      asks: true,
      logger,
      seen,
      brokenOff: brokenOffText(log),
    });
    return eventStreamResponse(frames, { clock, keepAliveMs: defaultKeepAliveMs, ...keepOpen() });
  }

  const route = (handle: (visit: AuthorizedRequest) => Promise<Response>) => createRoute(settings, handle);
  return [
    { path: '/dialects/tool-events', methods: { GET: route(read), POST: route(send) } },
    { path: '/dialects/tool-events/stream', methods: { GET: route(replay) } },
    { path: '/dialects/tool-events/retry', methods: { POST: route(retry) } },
    { path: '/dialects/tool-events/result', methods: { GET: route(result) } },
  ];
}

function conversationOf(query: URLSearchParams): ChatId {
  const named = query.get('conversationId');
  if (named !== null) return parseChatId(named);
  throw new CountersignError('invalid-request', 'Say which conversation: ?conversationId=…');
}

/** The id of the last frame that the client has. A new `EventSource` cannot set headers, so the query may have it. */
function lastEventIdOf({ headers, url }: Request): string | null {
  return headers.get('last-event-id') ?? new URL(url).searchParams.get('lastEventId');
}

/** @source A25 */
function asksPeople({ headers }: Request): boolean {
  return headers.get('accept-approvals') === '1';
}

/** @see RunOptions.unsupportedByClient */
function unsupportedBy(request: Request): readonly ('approvals' | 'tools')[] {
  return asksPeople(request) ? ['tools'] : ['approvals', 'tools'];
}
