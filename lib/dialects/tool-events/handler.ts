import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import { systemClock } from '../../protocol/clock/system-clock.ts';
import { type ChatId, CountersignError, type Logger, parseChatId } from '../../protocol/index.ts';
import { safeErrorText } from '../../server/errors.ts';
import { eventFrames } from '../../server/event-stream/event-frames.ts';
import { defaultKeepAliveMs, eventStreamResponse } from '../../server/event-stream/event-stream.ts';
import { withConcurrencyLimit } from '../../server/limits/concurrency-limit.ts';
import { callOptionsField } from '../../server/requests/call-options.ts';
import { createRoute, type Route, type ServerSettings } from '../../server/route.ts';
import { checkServerSettings } from '../../server/server-settings.ts';
import type { FlowStream } from '../../views/flow-stream.ts';
import { projectStream } from '../../views/reader/project-stream.ts';
import type { Projection } from '../../views/reader/projection.ts';
import { answerForClient } from '../answer-for-client.ts';
import { beginTurn, notFitting } from '../begin-turn.ts';
import { createToolEventProjection } from './projection.ts';
import { type ToolEvent, toolEventsRequestSchema } from './schema.ts';
import { storedConversation } from './stored-conversation.ts';

const via = 'tool-events';

/**
 * The tool invocation events. `POST /api/dialects/tool-events` `{ conversationId?, message }` is one turn as a
 * stream, over all its questions. A client that sends `accept-approvals: 1` receives questions (and answers them
 * at `POST /api/approvals/{id}`); for any other, gated calls are denied.
 *
 * `GET /api/dialects/tool-events?conversationId=…` is a stored conversation, as content blocks.
 *
 * @throws CountersignError `invalid-settings` for settings that are misspelt or of the wrong kind, and without
 * `authorize`
 * @source A1-A26
 */
export function createToolEventsHandler(
  flow: ApprovalFlow,
  given: ServerSettings,
): { GET: Route; POST: Route } {
  checkServerSettings('createToolEventsHandler', given);
  const settings = withConcurrencyLimit(given);
  const { clock = systemClock, logger } = settings;

  const POST = createRoute(settings, async ({ principal, json, request, keepOpen }) => {
    const body = await json();
    const parsed = toolEventsRequestSchema.safeParse(body);
    if (!parsed.success) throw notFitting('The request', parsed.error.issues[0]);
    const { message: text, conversationId } = parsed.data;
    const options = await callOptionsField(settings, { request, principal, body });
    const asked = { principal, text, chatId: conversationId, ...options, via };
    const { chatId, stream } = await beginTurn(flow, asked);
    const asks = request.headers.get('accept-approvals') === '1';
    if (stream.runId)
      void answerForClient(flow, { principal, chatId, runId: stream.runId, via, asks, logger });
    const frames = toFrames(stream, chatId, { asks, logger });
    return eventStreamResponse(frames, { clock, keepAliveMs: defaultKeepAliveMs, ...keepOpen() });
  });

  const GET = createRoute(settings, async ({ principal, query }) => {
    const named = query.get('conversationId');
    if (named === null) {
      throw new CountersignError('invalid-request', 'Say which conversation: ?conversationId=…');
    }
    const chatId = parseChatId(named);
    const messages = storedConversation(await flow.timeline({ principal, chatId }), chatId);
    return Response.json({ conversationId: chatId, messages });
  });

  return { GET, POST };
}

function toFrames(
  stream: FlowStream,
  chatId: ChatId,
  { asks, logger }: { asks: boolean; logger: Logger | undefined },
): ReadableStream<string> {
  const toolEvents = createToolEventProjection(chatId);
  let isOver = false;
  const failure = (message: string, retryable: boolean): ToolEvent[] =>
    isOver ? [] : [{ type: 'error', code: 'INTERNAL_ERROR', message, retryable }];

  const shown: Projection<ToolEvent> = {
    apply(item) {
      const frames = toolEvents.apply(item).filter(({ type }) => asks || type !== 'approval_request');
      isOver ||= frames.some(({ type }) => type === 'message_end' || type === 'error');
      return frames;
    },
    end: () => failure('This conversation is gone.', false),
    fail: (error) => failure(safeErrorText(error, logger), true),
  };
  return projectStream(stream, eventFrames(shown, toFrame));
}

function toFrame(event: ToolEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
