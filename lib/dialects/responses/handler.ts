import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import { systemClock } from '../../protocol/clock/system-clock.ts';
import { type Principal, parseMessageId } from '../../protocol/index.ts';
import { answerPreflight, withSharedHeaders } from '../../server/cross-origin.ts';
import { eventFrames } from '../../server/event-stream/event-frames.ts';
import { defaultKeepAliveMs, eventStreamResponse } from '../../server/event-stream/event-stream.ts';
import { guardRequest } from '../../server/guard.ts';
import { createSessionWatch } from '../../server/identity/session-watch.ts';
import { withConcurrencyLimit } from '../../server/limits/concurrency-limit.ts';
import { takeSlot } from '../../server/limits/counted-response.ts';
import { limitsOf } from '../../server/limits/size-limits.ts';
import { readToEnd } from '../../server/read-to-end.ts';
import { callOptionsField } from '../../server/requests/call-options.ts';
import { readJson } from '../../server/requests/read-json.ts';
import { parseUserMessage } from '../../server/requests/user-message.ts';
import { identify, type Route, type ServerSettings, type Visit } from '../../server/route.ts';
import { checkServerSettings } from '../../server/server-settings.ts';
import { projectStream } from '../../views/reader/project-stream.ts';
import { notFitting } from '../begin-turn.ts';
import { apiErrorResponse } from './errors.ts';
import type { CallSettings } from './events/call-items.ts';
import { createResponseProjection, type ResponseProjection } from './events/response-projection.ts';
import type { RequestEcho } from './events/response-state.ts';
import { type Asked, ask } from './request/ask.ts';
import { conversationOf } from './request/conversation.ts';
import { endUserOf } from './request/end-user.ts';
import { readInput } from './request/input.ts';
import { assertSameRequest, onceOf } from './request/once.ts';
import { type ResponsesRequest, responsesRequestSchema } from './request/request-schema.ts';
import { needsText } from './request/text-clients.ts';
import type { ResponseEvent } from './schema/event-schema.ts';

const defaultMaxTurns = 10;

const lastFrame = 'data: [DONE]\n\n';

/** What `createResponsesHandler` takes. */
export type ResponsesHandlerSettings = ServerSettings & {
  /**
   * How function tools that the server executes are shown, unless a request says otherwise by
   * `metadata.server_tools`. Default `function_call`; `@ai-sdk/openai` needs `mcp_call`. @source C7
   */
  readonly serverTools?: CallSettings['serverTools'];
  /** The server name of `mcp_call` items. Default `countersign`. */
  readonly serverLabel?: string;
  /** The model's name in responses to requests that name none. Default `countersign`. */
  readonly model?: string;
  /** Model calls of one turn, over all its answers; past it, `response.incomplete`. Default 10. @source C11 */
  readonly maxTurns?: number;
};

/**
 * `POST /v1/responses`: the flow as OpenAI's Responses API, for its unmodified clients. One response is one run: it
 * ends with a question, a call for the client to execute, or the turn.
 *
 * @throws CountersignError `invalid-settings` for settings that are misspelt or of the wrong kind, and without
 * `authorize`
 * @source C1-C18, ADR 0014
 */
export function createResponsesHandler(flow: ApprovalFlow, given: ResponsesHandlerSettings): { POST: Route } {
  checkServerSettings('createResponsesHandler', given);
  const settings = withConcurrencyLimit(given);
  const { clock = systemClock, logger, concurrencyLimit: limit } = settings;
  const watchSession = createSessionWatch(settings);

  async function respond(request: Request, context: unknown): Promise<Response> {
    guardRequest(request, settings);
    const principal = await identify(settings, request);
    const json = () => readJson(request, limitsOf(settings).bodyBytes, context);
    const slot = takeSlot({ limit, counted: 'requests', principal, request, watchSession });
    try {
      return await slot.finish(await respondTo({ request, principal, json, keepOpen: slot.keepOpen }));
    } catch (error) {
      slot.release();
      throw error;
    }
  }

  async function respondTo({ request, principal, json, keepOpen }: ResponsesVisit): Promise<Response> {
    const parsed = responsesRequestSchema.safeParse(await json());
    if (!parsed.success) throw notFitting('The request', parsed.error.issues[0]);
    const body = parsed.data;
    const asked = await askFor(flow, settings, principal, request, body);
    const projection = createResponseProjection(responseSettings(request, asked, settings, body));
    if (!body.stream) return Response.json(await wholeResponse(asked, projection, request.signal));
    const frames = eventFrames(projection, toFrame, lastFrame);
    return eventStreamResponse(projectStream(asked.stream, frames), {
      clock,
      keepAliveMs: defaultKeepAliveMs,
      ...keepOpen(),
    });
  }

  return {
    async POST(request, context) {
      const answered =
        request.method === 'OPTIONS' ? answerPreflight(request, settings) : respond(request, context);
      const response = await answered.catch((error: unknown) => apiErrorResponse(error, logger));
      return withSharedHeaders(response, request, settings);
    },
  };
}

/** What a response needs of its request. */
type ResponsesVisit = Pick<Visit, 'request' | 'principal' | 'json' | 'keepOpen'>;

async function askFor(
  flow: ApprovalFlow,
  settings: ResponsesHandlerSettings,
  principal: Principal,
  request: Request,
  body: ResponsesRequest,
): Promise<Asked> {
  const once = onceOf(endUserOf(principal, body), body, request.headers.get('idempotency-key'));
  const input = readInput(body.input);
  const { clock = systemClock } = settings;
  const { parts, ...conversation } = await conversationOf(
    flow,
    {
      principal,
      headers: request.headers,
      body,
      ...(once && { once }),
      asksInText: asksInText(request, body),
      now: clock.now(),
    },
    input,
  );
  const { chatId = conversation.newChatId } = conversation;
  if (once) await assertSameRequest(flow, { principal, chatId }, once);
  const id = once?.messageId ?? parseMessageId(crypto.randomUUID());
  const { messageBytes } = limitsOf(settings);
  const message = parts.length > 0 && parseUserMessage({ id, role: 'user', parts }, messageBytes);
  const instructions = [...(body.instructions ? [body.instructions] : []), ...input.instructions];
  return ask(flow, principal, {
    ...conversation,
    answers: input.answers,
    outputs: input.outputs,
    ...(message && { message, ...(await callOptionsField(settings, { request, principal, body })) }),
    options: {
      stepLimit: settings.maxTurns ?? defaultMaxTurns,
      ...(body.parallel_tool_calls === false && { oneAtATime: true }),
      ...(instructions.length > 0 && { instructions: instructions.join('\n\n') }),
    },
  });
}

/** Whether questions are told in text: as the request says, or because its client shows no items that ask. */
function asksInText({ headers }: Request, { metadata }: ResponsesRequest): boolean {
  const wanted = metadata?.server_tools;
  return wanted === 'text' || (wanted === undefined && needsText(headers.get('user-agent')));
}

function responseSettings(
  request: Request,
  { chatId, begins, outcomes = [] }: Asked,
  {
    serverTools = 'function_call',
    serverLabel = 'countersign',
    model = 'countersign',
  }: ResponsesHandlerSettings,
  body: ResponsesRequest,
) {
  const { server_tools: wanted } = body.metadata ?? {};
  const echo: RequestEcho = {
    model: body.model ?? model,
    instructions: body.instructions ?? null,
    metadata: body.metadata ?? {},
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    store: body.store ?? true,
  };
  return {
    chatId,
    begins,
    outcomes,
    echo,
    ...(asksInText(request, body) && { asksAt: request.headers.get('host') ?? new URL(request.url).host }),
    serverLabel,
    serverTools: wanted === 'function_call' || wanted === 'mcp_call' ? wanted : serverTools,
    include: body.include ?? [],
  };
}

/** A client that disconnects detaches this reader; the run continues. */
async function wholeResponse({ stream }: Asked, projection: ResponseProjection, signal: AbortSignal) {
  await readToEnd(projectStream(stream, projection), signal, () => {});
  // Completes the response of a reading that was aborted.
  projection.end?.();
  return projection.response();
}

function toFrame(event: ResponseEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
