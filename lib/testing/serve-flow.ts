import { createBidiServer } from '../bidi/server.ts';
import type { ApprovalFlow } from '../flow/types.ts';
import type { Route, ServerSettings } from '../http/route.ts';
import { createApprovalHandlers } from '../http/server.ts';
import { createSseHandlers } from '../sse/server.ts';
import { type Served, serve } from './serve.ts';

/** What `serveFlow` takes: the settings of all server halves, which share their names. */
export type ServeFlowSettings = Parameters<typeof createSseHandlers>[1] &
  Parameters<typeof createBidiServer>[1] & {
    readonly stampPeer?: Parameters<typeof serve>[0]['before'];
  } & ServerSettings;

/**
 * Serves a flow with every endpoint that the AI SDK's clients and ours use, over real HTTP and a real WebSocket on
 * one loopback port, at the usual paths (`/api/chat`, `/api/chat/socket`, `/api/approvals`).
 *
 * @source contract H1-H5, H9-H11
 */
export async function serveFlow(flow: ApprovalFlow, settings: ServeFlowSettings): Promise<Served> {
  const routes = routesOf(flow, settings);
  const bidi = createBidiServer(flow, settings);
  const served = await serve({
    before: settings.stampPeer,
    upgrade: (request, socket, head) => bidi.handleUpgrade(request, socket, head),
    fetch(request) {
      const { pathname } = new URL(request.url);
      const group = routes.find(({ path }) => path.test(pathname))?.group;
      if (!group) return new Response(null, { status: 404 });
      return group[request.method]?.(request) ?? new Response(null, { status: 405 });
    },
  });
  return {
    url: served.url,
    async close() {
      await bidi.close();
      await served.close();
    },
  };
}

function routesOf(flow: ApprovalFlow, settings: ServeFlowSettings) {
  const api = createApprovalHandlers(flow, settings);
  const sse = createSseHandlers(flow, settings);
  const route = (path: RegExp, group: Readonly<Record<string, Route>>) => ({ path, group });
  return [
    route(/^\/api\/chat$/, { ...api.chats, ...sse.chat }),
    route(/^\/api\/chat\/[^/]+\/stream$/, sse.stream),
    route(/^\/api\/chat\/[^/]+\/run$/, api.run),
    route(/^\/api\/chat\/[^/]+\/audit$/, api.audit),
    route(/^\/api\/chat\/[^/]+$/, api.chat),
    route(/^\/api\/approvals$/, api.approvals),
    route(/^\/api\/approvals\/events$/, api.events),
    route(/^\/api\/approvals\/[^/]+$/, api.approval),
  ];
}
