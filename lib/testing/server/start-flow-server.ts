import type { ToolSet } from 'ai';
import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import { createApprovalFlow } from '../../flow/create-approval-flow.ts';
import type { FlowPlugin } from '../../flow/plugin/plugin.ts';
import type { FlowStore } from '../../log/store/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { sqliteStore } from '../../stores/sqlite/store.ts';
import { type ServeFlowSettings, serveFlow } from './serve-flow.ts';

/** The settings of `startFlowServer`: a flow or its settings, and the settings of its servers. */
export type FlowServerSettings<Tools extends ToolSet = ToolSet> = Partial<ServeFlowSettings> &
  (
    | { readonly flow: ApprovalFlow }
    | (Omit<FlowSettings<Tools>, 'store'> & {
        readonly store?: FlowStore;
        readonly plugins?: readonly FlowPlugin[];
      })
  );

/** A running flow server. */
export type FlowServer = {
  readonly flow: ApprovalFlow;
  /** Such as `http://127.0.0.1:40123`, without a trailing slash. */
  readonly url: string;
  /** The URL for `createSseTransport` and `DefaultChatTransport`. */
  readonly api: string;
  /** The URL for `createBidiTransport` and `WebSocketChatTransport`. */
  readonly socket: string;
  /** Drops all connections and frees the port. Also closes the flow and its store if the server created them. */
  close(): Promise<void>;
};

/**
 * Starts an HTTP and WebSocket server for a flow on a free loopback port: `/api/chat` over server-sent events,
 * `/api/chat/socket`, the chats and the approvals.
 *
 *     const server = await startFlowServer({ model: scriptedModel(script), tools });
 *     const transport = createSseTransport({ api: server.api });
 *
 * @param settings.store default: an embedded store in memory
 * @param settings.authorize identifies the caller of a request; default: every caller is the same tester
 * @throws CountersignError `invalid-settings` for invalid settings
 * @source H1-H5, H9-H11
 */
export async function startFlowServer<Tools extends ToolSet = ToolSet>(
  settings: FlowServerSettings<Tools>,
): Promise<FlowServer> {
  // One object contains the settings of both. Each factory refuses settings that it does not know.
  const {
    authorize = () => tester,
    allowedHosts,
    allowedOrigins,
    rateLimit,
    limits,
    dialects,
    ...others
  } = settings;
  const { stampPeer, keepAliveMs, heartbeatMs, maxOpenRequests, concurrencyLimit, callOptions, ...rest } =
    others;
  const { flow, end } = flowOf<Tools>(rest as FlowServerSettings<Tools>);
  const { logger, clock } = rest;
  const guard = { allowedHosts, allowedOrigins, stampPeer };
  const server = { ...guard, authorize, rateLimit, limits, concurrencyLimit, dialects, logger, clock };
  const served = await serveFlow(flow, { ...server, callOptions, keepAliveMs, heartbeatMs, maxOpenRequests });
  return {
    flow,
    ...addressesOf(served.url),
    async close() {
      await served.close();
      await end();
    },
  };
}

/** The default caller of a request. */
export const tester = { id: 'tester', name: 'Tester' };

/** The URLs of a server of the kit. */
export function addressesOf(url: string): Pick<FlowServer, 'url' | 'api' | 'socket'> {
  return { url, api: `${url}/api/chat`, socket: `${url.replace(/^http/, 'ws')}/api/chat/socket` };
}

function flowOf<Tools extends ToolSet>(
  settings: FlowServerSettings<Tools>,
): { flow: ApprovalFlow; end: () => Promise<void> } {
  if ('flow' in settings) return { flow: settings.flow, end: async () => {} };
  const store = settings.store ?? sqliteStore({ path: ':memory:' });
  const flow = createApprovalFlow({ ...settings, store } as unknown as FlowSettings);
  return {
    flow,
    async end() {
      await flow.close();
      if (settings.store === undefined) await store.close();
    },
  };
}
