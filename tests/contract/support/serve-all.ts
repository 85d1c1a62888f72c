import { createUpgradeHandler } from 'countersign/bidi/server';
import { createFetchHandler } from 'countersign/sse/server';
import { onTestFinished } from 'vitest';
import type { ApprovalFlow } from '../../../lib/flow/approval-flow.ts';
import type { Principal } from '../../../lib/protocol/index.ts';
import { serve } from '../../../lib/testing/server/serve.ts';
import { everyDialect } from '../../support/every-plugin.ts';
import { userHeader } from '../../support/serve-fixture.ts';

const silent = { warn: () => {}, error: () => {} };

/** The user that a test names in a header. Nobody without one. */
function authorize(request: Request): Principal | null {
  const id = request.headers.get(userHeader);
  return id === null ? null : { id, name: id };
}

/** What all server halves may be given. */
type Settings = Partial<Parameters<typeof createUpgradeHandler>[1]>;

/** Every endpoint, both transports and all dialects of a flow on one loopback port, until the test has finished. */
export async function serveAll(flow: ApprovalFlow, settings: Settings = {}): Promise<string> {
  const server = { authorize, logger: silent, dialects: everyDialect, ...settings };
  const sockets = createUpgradeHandler(flow, server);
  const served = await serve({ upgrade: sockets.handleUpgrade, fetch: createFetchHandler(flow, server) });
  onTestFinished(async () => {
    await sockets.close();
    await served.close();
  });
  return served.url;
}
