import type { ApprovalFlow, FlowStream } from '../../flow/types.ts';
import { defaultKeepAliveMs, eventStreamResponse } from '../../http/event-stream.ts';
import { readJson } from '../../http/read-json.ts';
import { createRoute, type Route, type ServerSettings } from '../../http/route.ts';
import { systemClock } from '../../http/system-clock.ts';
import { CountersignError, type FlowEvent, type Principal } from '../../vocabulary/index.ts';
import { formatStreamId, parseStreamId } from '../../vocabulary/stream-id.ts';
import { beginTurn, notFitting } from '../begin-turn.ts';
import { createStreamEventMapping } from './mapping.ts';
import { messageRequestSchema, type StreamEvent } from './schema.ts';

const maxBodyBytes = 512 * 1024;
const broken: StreamEvent = {
  type: 'error',
  data: { tool_call_id: null, message: 'assistant stream disconnected' },
};

/** Where a frame stands: its event, its place among that event's frames, and whether it ends the stream. */
type FrameId = { readonly seq: number; readonly index: number; readonly isLast: boolean };

/**
 * The two-step stream: `message.POST` (`POST /api/chat/message`) starts a run and names its stream; `stream.GET`
 * (`GET /api/chat/stream/{stream_id}`) reads it, again and from any place.
 *
 * @source contract B
 */
export function createTwoStepHandlers(
  flow: ApprovalFlow,
  settings: ServerSettings,
): { message: { POST: Route }; stream: { GET: Route } } {
  const POST = createRoute(settings, async ({ principal, request }) => {
    const parsed = messageRequestSchema.safeParse(await readJson(request, maxBodyBytes));
    if (!parsed.success) throw notFitting('The request', parsed.error.issues[0]);
    const { message: text, chat_id, client_message_id: messageId } = parsed.data;
    const chatId = chat_id ?? (messageId && (await chatFor(principal, messageId)));
    const begun = await beginTurn(flow, {
      principal,
      text,
      chatId,
      messageId,
      mustExist: chat_id !== undefined,
      via: 'two-step-stream',
    });
    // The run goes on without this reader; the second step opens one of its own.
    await begun.stream.events.cancel();
    if (begun.stream.runId === null) throw new Error('A turn began without a run.');
    return Response.json({ stream_id: formatStreamId(begun.chatId, begun.stream.runId) });
  });

  const GET = createRoute(settings, async ({ principal, request, segment }) => {
    const { chatId, runId } = parseStreamId(segment(0));
    const seen = parseFrameId(request.headers.get('last-event-id'));
    // What ends an `EventSource` that reconnects by itself.
    if (seen?.isLast) return new Response(null, { status: 204 });
    const stream = await flow.follow({ chatId, principal, runId });
    if (!stream) throw new CountersignError('not-found', 'There is no such stream.');
    const { clock = systemClock } = settings;
    return eventStreamResponse(frames(stream, seen), { clock, keepAliveMs: defaultKeepAliveMs });
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

function frames(stream: FlowStream, seen: FrameId | undefined): ReadableStream<string> {
  const eventsOf = createStreamEventMapping(stream.view);
  let done = false;
  return stream.events.pipeThrough(
    new TransformStream<FlowEvent, string>({
      transform(event, controller) {
        for (const [index, frame] of eventsOf(event).entries()) {
          const id = { seq: event.seq, index, isLast: frame.type === 'done' };
          done ||= id.isLast;
          if (!seen || isAfter(id, seen)) controller.enqueue(format(frame, id));
        }
      },
      flush(controller) {
        if (!done) controller.enqueue(format(broken));
      },
    }),
  );
}

function isAfter(id: FrameId, seen: FrameId): boolean {
  return id.seq > seen.seq || (id.seq === seen.seq && id.index > seen.index);
}

function format({ type, data }: StreamEvent, id?: FrameId): string {
  const line = id ? `id: ${id.seq}.${id.index}${id.isLast ? '.done' : ''}\n` : '';
  return `${line}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function parseFrameId(value: string | null): FrameId | undefined {
  const match = /^(\d{1,15})\.(\d{1,3})(\.done)?$/.exec(value ?? '');
  return match
    ? { seq: Number(match[1]), index: Number(match[2]), isLast: match[3] !== undefined }
    : undefined;
}
