import type { ApprovalFlow } from '../flow/types.ts';
import type { Route } from '../http/route.ts';
import { type ApprovalHandlerSettings, createApprovalHandlers } from '../http/server.ts';
import { createSseHandlers, type SseSettings } from '../sse/server.ts';

/** What the HTTP half of a served flow takes. */
export type FlowRoutesSettings = SseSettings & ApprovalHandlerSettings;

/**
 * Every HTTP endpoint of a flow at its usual path, as one Web handler. An unknown path gets 404, a method that a path
 * does not take 405.
 *
 * @param post answers `POST /api/chat`; default: the flow
 * @source contract H1, H2, H4, H5, H9-H11
 */
export function flowRoutes(flow: ApprovalFlow, settings: FlowRoutesSettings, post?: Route): Route {
  const api = createApprovalHandlers(flow, settings);
  const sse = createSseHandlers(flow, settings);
  const routes: readonly (readonly [path: RegExp, group: Readonly<Record<string, Route>>])[] = [
    [/^\/api\/chat$/, { ...api.chats, POST: post ?? sse.chat.POST }],
    [/^\/api\/chat\/[^/]+\/stream$/, sse.stream],
    [/^\/api\/chat\/[^/]+\/run$/, api.run],
    [/^\/api\/chat\/[^/]+\/audit$/, api.audit],
    [/^\/api\/chat\/[^/]+\/timeline$/, api.timeline],
    [/^\/api\/chat\/[^/]+\/tool-results\/[^/]+$/, api.toolResult],
    [/^\/api\/chat\/[^/]+$/, api.chat],
    [/^\/api\/approvals$/, api.approvals],
    [/^\/api\/approvals\/events$/, api.events],
    [/^\/api\/approvals\/[^/]+$/, api.approval],
    [/^\/api\/remembered$/, api.remembered],
    [/^\/api\/remembered\/[^/]+$/, api.rememberedOne],
  ];
  return async (request) => {
    const { pathname } = new URL(request.url);
    const group = routes.find(([path]) => path.test(pathname))?.[1];
    if (!group) return new Response(null, { status: 404 });
    return group[request.method]?.(request) ?? new Response(null, { status: 405 });
  };
}
