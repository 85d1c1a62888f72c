import type { ApprovalFlow } from '../flow/approval-flow.ts';
import { CountersignError } from '../protocol/index.ts';
import { withSharedHeaders } from '../server/cross-origin.ts';
import { errorResponse } from '../server/errors.ts';
import { withConcurrencyLimit } from '../server/limits/concurrency-limit.ts';
import type { Route } from '../server/route.ts';
import { type ApprovalHandlerSettings, createApprovalHandlers } from '../server/server.ts';
import { checkServerSettings } from '../server/server-settings.ts';
import { createSseHandlers, type SseSettings } from './handlers.ts';

/** Settings of `createFetchHandler`, for all of its endpoints. */
export type FetchHandlerSettings = SseSettings &
  ApprovalHandlerSettings & {
    /** The path that all endpoints begin with. Default `/api`. */
    readonly basePath?: string;
  };

type Methods = Readonly<Record<string, Route | undefined>>;

/**
 * Every endpoint but the WebSocket as one Web handler: for a catch-all route
 * (`app/api/[...path]/route.ts` of Next), or for a server without a router. It routes to the single handlers at the paths
 * that the clients expect.
 *
 * @throws CountersignError `invalid-settings` for settings that are misspelled or of the wrong type, and
 *   without `authorize`
 * @example export const GET = createFetchHandler(flow, { authorize }); // and POST, PATCH, DELETE likewise; OPTIONS for `allowedOrigins`
 * @source H1, H2, H4, H5, H9-H11, H-Health
 */
export function createFetchHandler(flow: ApprovalFlow, given: FetchHandlerSettings): Route {
  checkServerSettings('createFetchHandler', given);
  const settings = withConcurrencyLimit(given);
  const { basePath = '/api' } = settings;
  const sse = createSseHandlers(flow, settings);
  const api = createApprovalHandlers(flow, settings);
  const table: readonly [path: RegExp, methods: Methods][] = [
    [/^\/chat$/, { ...api.chats, ...sse.chat }],
    [/^\/chat\/[^/]+$/, api.chat],
    [/^\/chat\/[^/]+\/stream$/, sse.stream],
    [/^\/chat\/[^/]+\/run$/, api.run],
    [/^\/chat\/[^/]+\/audit$/, api.audit],
    [/^\/chat\/[^/]+\/timeline$/, api.timeline],
    [/^\/chat\/[^/]+\/tool-results\/[^/]+$/, api.toolResult],
    [/^\/chat\/[^/]+\/outcomes\/[^/]+$/, api.outcome],
    [/^\/approvals$/, api.approvals],
    [/^\/approvals\/events$/, api.events],
    [/^\/approvals\/[^/]+$/, api.approval],
    [/^\/approvals\/[^/]+\/preview$/, api.approvalPreview],
    [/^\/approvals\/[^/]+\/upcoming$/, api.approvalUpcoming],
    [/^\/remembered$/, api.remembered],
    [/^\/remembered\/[^/]+$/, api.rememberedOne],
    [/^\/delegations$/, api.delegations],
    [/^\/delegations\/[^/]+$/, api.delegation],
    [/^\/people$/, api.people],
    [/^\/operations$/, api.operations],
    [/^\/operations\/insights$/, api.insights],
    [/^\/operations\/insights\.csv$/, api.insightsCsv],
    [/^\/operations\/rehearsal$/, api.rehearsal],
    [/^\/operations\/deliveries$/, api.deliveries],
    [/^\/operations\/deliveries\/[^/]+\/[^/]+$/, api.delivery],
    [/^\/health\/live$/, api.live],
    [/^\/health\/ready$/, api.ready],
  ];
  return async (request, context) => {
    // Every route answers it, and in the same way.
    if (request.method === 'OPTIONS') return sse.stream.GET(request);
    const { pathname } = new URL(request.url);
    const path = pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : '';
    const methods = table.find(([pattern]) => pattern.test(path))?.[1];
    const route = methods && Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
    return route ? route(request, context) : withSharedHeaders(noRoute(methods), request, settings);
  };
}

function noRoute(methods: Methods | undefined): Response {
  if (!methods) return errorResponse(new CountersignError('not-found', 'There is nothing at this path.'));
  return new Response(null, { status: 405, headers: { allow: Object.keys(methods).join(', ') } });
}
