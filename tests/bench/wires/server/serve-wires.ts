import type { ApprovalFlow } from 'countersign';
import { createUpgradeHandler } from 'countersign/bidi/server';
import { createConcurrencyLimit, type Dialect } from 'countersign/http/server';
import { chatSocket } from 'countersign/plugins/chat-socket';
import { responses } from 'countersign/plugins/responses';
import { toolEvents } from 'countersign/plugins/tool-events';
import { twoStepStream } from 'countersign/plugins/two-step-stream';
import { createFetchHandler } from 'countersign/sse/server';
import { serve } from '../../../../lib/testing/server/serve.ts';

/** A flow over every wire at once, at the paths of the reference app. @returns its address */
export async function serveWires(flow: ApprovalFlow, ownerId: string): Promise<string> {
  // One user measures what many would do.
  const concurrencyLimit = createConcurrencyLimit({ sockets: 10_000, requests: 10_000 });
  const dialects: readonly Dialect[] = [chatSocket(), responses(), toolEvents(), twoStepStream()];
  const server = { authorize: () => ({ id: ownerId, name: 'Bench' }), concurrencyLimit, dialects };
  const { handleUpgrade: upgrade } = createUpgradeHandler(flow, server);
  const { url } = await serve({ upgrade, fetch: createFetchHandler(flow, server) });
  return url;
}
