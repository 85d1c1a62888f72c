import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import type { Route } from '../../flow/plugin/http.ts';
import { createFetchHandler, type FetchHandlerSettings } from '../../sse/server.ts';

/** The settings of a served flow's HTTP routes. */
export type FlowRoutesSettings = Omit<FetchHandlerSettings, 'basePath'>;

/**
 * All HTTP endpoints of a flow at their usual paths, as one Web handler.
 *
 * @param post answers `POST /api/chat`; default: the flow
 * @source H1, H2, H4, H5, H9-H11
 */
export function flowRoutes(flow: ApprovalFlow, settings: FlowRoutesSettings, post?: Route): Route {
  const handler = createFetchHandler(flow, settings);
  if (!post) return handler;
  const isPost = ({ method, url }: Request) => method === 'POST' && new URL(url).pathname === '/api/chat';
  return (request, context) => (isPost(request) ? post(request, context) : handler(request, context));
}
