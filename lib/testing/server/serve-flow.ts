import { createUpgradeHandler } from '../../bidi/server.ts';
import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import { withConcurrencyLimit } from '../../server/limits/concurrency-limit.ts';
import { type FlowRoutesSettings, flowRoutes } from './flow-routes.ts';
import { type Served, type ServeSettings, serve } from './serve.ts';

/** The settings of `serveFlow`: those of all server halves, which share their names. */
export type ServeFlowSettings = FlowRoutesSettings &
  Parameters<typeof createUpgradeHandler>[1] & { readonly stampPeer?: ServeSettings['before'] };

/**
 * Serves a flow with all endpoints of the AI SDK's and this library's clients, over HTTP and WebSocket on one loopback
 * port, at the usual paths (`/api/chat`, `/api/chat/socket`, `/api/approvals`).
 *
 * @source H1-H5, H9-H11
 */
export async function serveFlow(flow: ApprovalFlow, settings: ServeFlowSettings): Promise<Served> {
  const { stampPeer, ...given } = settings;
  const server = withConcurrencyLimit(given);
  const sockets = createUpgradeHandler(flow, server);
  const served = await serve({
    before: stampPeer,
    upgrade: (request, socket, head) => sockets.handleUpgrade(request, socket, head),
    fetch: flowRoutes(flow, server),
  });
  return {
    url: served.url,
    async close() {
      await sockets.close();
      await served.close();
    },
  };
}
