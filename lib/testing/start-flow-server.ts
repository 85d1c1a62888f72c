import type { ToolSet } from 'ai';
import type { ApprovalFlow } from '../flow/approval-flow.ts';
import { createApprovalFlow } from '../flow/create-approval-flow.ts';
import type { FlowStore } from '../log/store-port.ts';
import type { FlowSettings } from '../settings/flow-settings.ts';
import { sqliteStore } from '../stores/sqlite/store.ts';
import { type ServeFlowSettings, serveFlow } from './serve-flow.ts';

/** What `startFlowServer` takes: a flow, or the settings of one, and what its servers take. */
export type FlowServerSettings<Tools extends ToolSet = ToolSet> = Partial<ServeFlowSettings> &
  ({ readonly flow: ApprovalFlow } | (Omit<FlowSettings<Tools>, 'store'> & { readonly store?: FlowStore }));

/** A flow that can be reached. */
export type FlowServer = {
  readonly flow: ApprovalFlow;
  /** Such as `http://127.0.0.1:40123`, without a slash at its end. */
  readonly url: string;
  /** For `createSseTransport` and `DefaultChatTransport`: the chats, over server-sent events. */
  readonly api: string;
  /** For `createBidiTransport` and `WebSocketChatTransport`. */
  readonly socket: string;
  /** Drops all connections and frees the port. Ends the flow and its store too, where the server made them. */
  close(): Promise<void>;
};

/**
 * Starts a real HTTP and WebSocket server for a flow, on a free port of the loopback interface: `/api/chat` over
 * server-sent events, `/api/chat/socket`, the chats and the approvals.
 *
 *     const server = await startFlowServer({ model: scriptedModel(script), tools });
 *     const transport = createSseTransport({ api: server.api });
 *
 * @param settings.store default: an embedded one in memory
 * @param settings.authorize who makes a request; default: everybody is the same tester. It is a server for tests
 * @throws CountersignError `invalid-settings` for settings that cannot work
 * @source contract H1-H5, H9-H11
 */
export async function startFlowServer<Tools extends ToolSet = ToolSet>(
  settings: FlowServerSettings<Tools>,
): Promise<FlowServer> {
  // One object has the settings of both; each factory refuses those that it does not know.
  const { authorize = () => tester, allowedHosts, rateLimit, limits, stampPeer, ...others } = settings;
  const { keepAliveMs, heartbeatMs, maxOpenRequests, concurrencyLimit, ...rest } = others;
  const { flow, end } = flowOf<Tools>(rest as FlowServerSettings<Tools>);
  const { logger, clock } = rest;
  const server = { authorize, allowedHosts, rateLimit, limits, stampPeer, concurrencyLimit, logger, clock };
  const served = await serveFlow(flow, { ...server, keepAliveMs, heartbeatMs, maxOpenRequests });
  return {
    flow,
    ...addressesOf(served.url),
    async close() {
      await served.close();
      await end();
    },
  };
}

/** Whoever makes a request, when a test does not say. */
export const tester = { id: 'tester', name: 'Tester' };

/** The addresses under which a server of the kit is found. */
export function addressesOf(url: string): Pick<FlowServer, 'url' | 'api' | 'socket'> {
  return { url, api: `${url}/api/chat`, socket: `${url.replace(/^http/, 'ws')}/api/chat/socket` };
}

function flowOf<Tools extends ToolSet>(
  settings: FlowServerSettings<Tools>,
): { flow: ApprovalFlow; end: () => Promise<void> } {
  if ('flow' in settings) return { flow: settings.flow, end: async () => {} };
  const store = settings.store ?? sqliteStore({ path: ':memory:' });
  const flow = createApprovalFlow<Tools>({ ...settings, store });
  return {
    flow,
    async end() {
      await flow.close();
      if (settings.store === undefined) await store.close();
    },
  };
}
