import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import { CountersignError, type Principal } from '../../protocol/index.ts';
import { formatStreamId, parseStreamId } from '../../protocol/stream-id.ts';
import { withConcurrencyLimit } from '../../server/concurrency-limit.ts';
import { defaultKeepAliveMs, eventStreamResponse } from '../../server/event-stream.ts';
import { createRoute, type Route, type ServerSettings } from '../../server/route.ts';
import { checkServerSettings } from '../../server/server-settings.ts';
import { systemClock } from '../../server/system-clock.ts';
import { beginTurn, notFitting } from '../begin-turn.ts';
import { standIn } from '../stand-in.ts';
import { parseFrameId } from './frame-id.ts';
import { streamFrames } from './frames.ts';
import { leftBehind } from './left-behind.ts';
import { messageRequestSchema } from './schema.ts';

const via = 'two-step-stream';

/**
 * The two-step stream: `message.POST` (`POST /api/chat/message`) starts a run and names its stream; `stream.GET`
 * (`GET /api/chat/stream/{stream_id}`) reads it, again and from any place, for as long as its chat is kept.
 *
 * @throws CountersignError `invalid-settings` for settings that are misspelt or of the wrong kind, and without `authorize`
 * @source contract B
 */
export function createTwoStepHandlers(
  flow: ApprovalFlow,
  given: ServerSettings,
): { message: { POST: Route }; stream: { GET: Route } } {
  checkServerSettings('createTwoStepHandlers', given);
  const settings = withConcurrencyLimit(given);
  const { clock = systemClock, logger } = settings;

  const POST = createRoute(settings, async ({ principal, json }) => {
    const parsed = messageRequestSchema.safeParse(await json());
    if (!parsed.success) throw notFitting('The request', parsed.error.issues[0]);
    const { message: text, chat_id, client_message_id: messageId } = parsed.data;
    const begun = await beginTurn(flow, {
      principal,
      text,
      chatId: chat_id ?? (messageId && (await chatFor(principal, messageId))),
      messageId,
      mustExist: chat_id !== undefined,
      via,
    });
    // The run goes on without this reader; the second step opens one of its own.
    await begun.stream.events.cancel();
    const { chatId } = begun;
    const { runId } = begun.stream;
    if (runId === null) throw new Error('A turn began without a run.');
    void standIn(flow, { principal, chatId, runId, via, asks: true, logger });
    return Response.json({ stream_id: formatStreamId(chatId, runId), chat_id: chatId });
  });

  const GET = createRoute(settings, async ({ principal, request, segment, keepOpen }) => {
    const { chatId, runId } = streamNamed(segment(0));
    // Over what is handed to a client, to the first question or the end: `done` closes the stream.
    const stream = await flow.follow({ chatId, principal, runId, until: 'turn' });
    if (!stream) throw noSuchStream();
    const seen = parseFrameId(request.headers.get('last-event-id'));
    if (seen?.isLast) {
      await stream.events.cancel();
      // What ends an `EventSource` that reconnects by itself.
      return new Response(null, { status: 204 });
    }
    const earlier = leftBehind(await flow.timeline({ principal, chatId }), runId);
    const frames = streamFrames(stream, { seen, earlier, logger });
    return eventStreamResponse(frames, { clock, keepAliveMs: defaultKeepAliveMs, ...keepOpen() });
  });

  return { message: { POST }, stream: { GET } };
}

/** A message that names no chat begins one; sent twice, it must begin the same one. No principal can name another's. */
async function chatFor({ id }: Principal, messageId: string): Promise<string> {
  const digest = await crypto.subtle.digest(
    'SHA-256',
    new TextEncoder().encode(JSON.stringify([id, messageId])),
  );
  return Buffer.from(digest).toString('base64url');
}

/** Whatever is no name of a stream names none. */
function streamNamed(id: string): ReturnType<typeof parseStreamId> {
  try {
    return parseStreamId(id);
  } catch {
    throw noSuchStream();
  }
}

function noSuchStream(): CountersignError {
  return new CountersignError('not-found', 'There is no such stream.');
}
