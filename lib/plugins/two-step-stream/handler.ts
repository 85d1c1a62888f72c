import { beginTurn, notFitting } from '../../dialects/begin-turn.ts';
import { brokenOffText } from '../../dialects/turn-text.ts';
import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import type { Endpoint } from '../../flow/plugin/http.ts';
import { systemClock } from '../../protocol/clock/system-clock.ts';
import { formatStreamId } from '../../protocol/ids/stream-id.ts';
import { type ChatId, CountersignError, parseChatId, type RunId } from '../../protocol/index.ts';
import type { SharedSettings } from '../../server/dialect.ts';
import { nullIfNotFound } from '../../server/errors.ts';
import { defaultKeepAliveMs, eventStreamResponse } from '../../server/event-stream/event-stream.ts';
import { callOptionsField } from '../../server/requests/call-options.ts';
import { createRoute } from '../../server/route.ts';
import { messageRequestSchema } from './client/schema.ts';
import { parseFrameId } from './frame-id.ts';
import { streamFrames } from './frames.ts';
import { knownPlace } from './known-place.ts';
import { unansweredCalls } from './unanswered-calls.ts';

const via = 'two-step-stream';

/**
 * The two-step stream: `POST /api/chat/message` starts a run and names its stream; `GET /api/chat/stream/{stream_id}` reads it,
 * repeatedly and from any place, as long as its chat is kept.
 *
 * @source B1-B10, B12-B18
 */
export function twoStepEndpoints(flow: ApprovalFlow, settings: SharedSettings): readonly Endpoint[] {
  const { clock = systemClock, logger } = settings;

  const POST = createRoute(settings, async ({ request, principal, json }) => {
    const body = await json();
    const parsed = messageRequestSchema.safeParse(body);
    if (!parsed.success) throw notFitting('The request', parsed.error.issues[0]);
    const { message: text, chat_id, client_message_id: messageId } = parsed.data;
    const begun = await beginTurn(flow, {
      principal,
      text,
      chatId: chat_id,
      messageId,
      ...(await callOptionsField(settings, { request, principal, body })),
      unsupportedByClient: ['tools'],
      via,
    });
    const { chatId } = begun;
    // The run continues without this reader. The second step opens another.
    await begun.stream.events.cancel();
    const { runId } = begun.stream;
    if (runId === null) throw new Error('A turn began without a run.');
    return Response.json({ stream_id: formatStreamId(chatId, runId), chat_id: chatId });
  });

  const GET = createRoute(settings, async ({ principal, request, segment, keepOpen }) => {
    const { chatId, runId } = streamNamed(segment(0));
    const log = await flow.chats.timeline({ principal, chatId }).catch(nullIfNotFound);
    if (!log) throw noSuchStream();
    // Over calls for the client, to the first question or the end: `done` closes the stream.
    const stream = await flow.chats.follow({ chatId, principal, runId, until: 'turn' });
    if (!stream) throw noSuchStream();
    const acceptsApprovals = takesApprovals(request);
    const earlier = unansweredCalls(log, runId, acceptsApprovals);
    const sent = { runId, log, earlier, acceptsApprovals };
    const seen = knownPlace(parseFrameId(runId, lastEventIdOf(request)), sent);
    if (seen?.isLast) {
      await stream.events.cancel();
      // This status ends an `EventSource`, which would reconnect otherwise.
      return new Response(null, { status: 204 });
    }
    const options = { seen, earlier, acceptsApprovals, brokenOff: brokenOffText(log), logger };
    const frames = streamFrames({ ...stream, runId }, options);
    return eventStreamResponse(frames, { clock, keepAliveMs: defaultKeepAliveMs, ...keepOpen() });
  });

  return [
    { path: '/chat/message', methods: { POST } },
    { path: '/chat/stream/{streamId}', methods: { GET } },
  ];
}

/** The id of the last frame that the client has. A new `EventSource` cannot set headers, so the query may have it. */
function lastEventIdOf({ headers, url }: Request): string | null {
  return headers.get('last-event-id') || new URL(url).searchParams.get('lastEventId');
}

/** Whether the client says that it shows questions. An `EventSource` cannot set headers, so the query may say it. @source B18 */
function takesApprovals({ headers, url }: Request): boolean {
  return [headers.get('accept-approvals'), new URL(url).searchParams.get('accept_approvals')].includes('1');
}

/** An invalid name is answered like an unknown one. */
function streamNamed(id: string): { readonly chatId: ChatId; readonly runId: RunId } {
  const [chatId, runId, ...rest] = id.split('.');
  if (!runId?.startsWith('run_') || rest.length > 0) throw noSuchStream();
  try {
    return { chatId: parseChatId(chatId), runId: runId as RunId };
  } catch {
    throw noSuchStream();
  }
}

function noSuchStream(): CountersignError {
  return new CountersignError('not-found', 'Stream not found.');
}
