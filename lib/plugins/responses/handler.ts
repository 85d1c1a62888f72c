import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import type { AuthorizedRequest, Route } from '../../flow/plugin/http.ts';
import { systemClock } from '../../protocol/clock/system-clock.ts';
import { CountersignError } from '../../protocol/errors/errors.ts';
import { type Principal, parseMessageId, type RunOptions } from '../../protocol/index.ts';
import type { SharedSettings } from '../../server/dialect.ts';
import { eventFrames } from '../../server/event-stream/event-frames.ts';
import { defaultKeepAliveMs, eventStreamResponse } from '../../server/event-stream/event-stream.ts';
import { limitsOf } from '../../server/limits/size-limits.ts';
import { readToEnd } from '../../server/read-to-end.ts';
import { callOptionsField } from '../../server/requests/call-options.ts';
import { parseUserMessage } from '../../server/requests/user-message.ts';
import { createRoute } from '../../server/route.ts';
import type { FlowStream } from '../../views/flow-stream.ts';
import { projectStream } from '../../views/reader/project-stream.ts';
import { type Asked, ask } from './conversation/ask.ts';
import { conversationOf } from './conversation/conversation.ts';
import { chatOfKey, onceOf } from './conversation/once.ts';
import { apiErrorResponse, onParam, refuseBody } from './errors.ts';
import { createResponseProjection, type ResponseProjection } from './events/response-projection.ts';
import { createFrames, lastFrame } from './frames.ts';
import { endUserOf } from './request/end-user.ts';
import { turnOptions } from './request/honoured-fields.ts';
import { readInput } from './request/input.ts';
import { refuseValues } from './request/refused-values.ts';
import { factsOf, recordedFacts } from './request/request-facts.ts';
import { type ResponsesRequest, responsesRequestSchema } from './request/request-schema.ts';
import { hostOf, needsText } from './request/text-clients.ts';
import { createEndpointRoute, type Endpoints } from './routes/endpoints.ts';
import { createModelRoutes } from './routes/models.ts';
import type { ShownAs } from './routes/read-response.ts';
import { createResponseRoutes } from './routes/response-routes.ts';
import type { ResponsesSettings } from './settings.ts';

const defaultMaxTurns = 10;

/**
 * The flow as OpenAI's Responses API, for its unmodified clients. One response is one run: it ends with a question, a
 * call for the client to execute, or the turn.
 *
 * @returns every endpoint, found by the path after `/v1`, for all methods. Other paths and methods are refused in the form of the API
 * @source C1-C18, ADR 0014
 */
export function createResponsesRoute(
  flow: ApprovalFlow,
  settings: SharedSettings & ResponsesSettings,
): Route {
  const { clock = systemClock } = settings;
  const shownAs: ShownAs = {
    serverTools: settings.serverTools ?? 'function_call',
    serverLabel: settings.serverLabel ?? 'countersign',
    model: settings.model ?? 'countersign',
  };

  async function respond({ request, principal, json, keepOpen }: AuthorizedRequest): Promise<Response> {
    const parsed = responsesRequestSchema.safeParse(await json());
    if (!parsed.success) throw refuseBody(parsed.error.issues[0]);
    const body = parsed.data;
    refuseValues(body);
    const tools = body.tools?.length || body.tool_choice ? await flow.tools.list() : [];
    const options = turnOptions(body, { tools, serverLabel: shownAs.serverLabel });
    const { stream, ...asked } = await askFor(flow, settings, principal, request, body, options);
    const projection = createResponseProjection({
      ...shownAs,
      ...asked,
      asksAt: asksInText(request, body) ? hostOf(request) : undefined,
      given: factsOf(body),
    });
    if (!body.stream) return Response.json(await wholeResponse(stream, projection, request.signal));
    const frames = eventFrames(projection, createFrames(), lastFrame);
    return eventStreamResponse(projectStream(stream, frames), {
      clock,
      keepAliveMs: defaultKeepAliveMs,
      ...keepOpen(),
    });
  }

  const { retrieve, remove, cancel, inputItems } = createResponseRoutes(flow, shownAs, clock);
  const models = createModelRoutes(shownAs);
  const route = (handle: (visit: AuthorizedRequest) => Promise<Response>, counted?: 'uncounted') =>
    createRoute(settings, handle, counted, apiErrorResponse);
  const endpoints: Endpoints = {
    '/responses': { POST: route(respond) },
    '/responses/{responseId}': { GET: route(retrieve), DELETE: route(remove, 'uncounted') },
    '/responses/{responseId}/cancel': { POST: route(cancel, 'uncounted') },
    '/responses/{responseId}/input_items': { GET: route(inputItems) },
    '/models': { GET: route(models.list) },
    '/models/{model}': { GET: route(models.retrieve) },
  };
  return createEndpointRoute(endpoints, settings);
}

async function askFor(
  flow: ApprovalFlow,
  settings: SharedSettings & ResponsesSettings,
  principal: Principal,
  request: Request,
  body: ResponsesRequest,
  options: RunOptions,
): Promise<Asked> {
  const once = onceOf(endUserOf(principal, body), body, request.headers.get('idempotency-key'));
  const input = onParam('input', () => readInput(body.input));
  const { clock = systemClock } = settings;
  const { parts, ...conversation } = await conversationOf(
    flow,
    {
      principal,
      headers: request.headers,
      body,
      once,
      asksInText: asksInText(request, body),
      now: clock.now(),
    },
    input,
  );
  const id = once?.messageId ?? parseMessageId(crypto.randomUUID());
  const { messageBytes } = limitsOf(settings);
  const message =
    parts.length > 0 && onParam('input', () => parseUserMessage({ id, role: 'user', parts }, messageBytes));
  const instructions = [...(body.instructions ? [body.instructions] : []), ...input.instructions];
  return ask(flow, principal, {
    ...conversation,
    answers: input.answers,
    outputs: input.outputs,
    ...(message && once && { key: once.id }),
    ...(message && { message, ...(await callOptionsField(settings, { request, principal, body })) }),
    options: {
      ...options,
      stepLimit: settings.maxTurns ?? defaultMaxTurns,
      oneAtATime: body.parallel_tool_calls === false || undefined,
      instructions: instructions.join('\n\n') || undefined,
      request: recordedFacts(factsOf(body)),
    },
  }).catch(async (error: unknown) => {
    if (!once || !CountersignError.is(error) || error.code !== 'key-reused') throw error;
    // Another request with the key was recorded first.
    await chatOfKey(flow, principal, once);
    return askFor(flow, settings, principal, request, body, options);
  });
}

/** Whether questions are sent as text: as the request says, or because its client shows no items that ask. */
function asksInText({ headers }: Request, { metadata }: ResponsesRequest): boolean {
  const wanted = metadata?.server_tools;
  return wanted === 'text' || (wanted === undefined && needsText(headers.get('user-agent')));
}

/** A client that disconnects detaches this reader; the run continues. */
async function wholeResponse(stream: FlowStream, projection: ResponseProjection, signal: AbortSignal) {
  await readToEnd(projectStream(stream, projection), signal, () => {});
  // Completes the response of a reading that was aborted.
  projection.end?.();
  return projection.response();
}
