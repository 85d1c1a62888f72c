import type { ApprovalFlow } from '../../../lib/flow/index.ts';
import { withConcurrencyLimit } from '../../../lib/server/limits/concurrency-limit.ts';
import type { ServerSettings } from '../../../lib/server/route.ts';
import { createFetchHandler } from '../../../lib/sse/fetch-handler.ts';
import { everyDialect } from '../../support/every-plugin.ts';

/** The paths of all dialects. */
const paths = /^\/(v1|api\/dialects|api\/chat\/message$|api\/chat\/stream)/;

/** The handlers of all dialects of one instance. */
export function createDialectEndpoints(flow: ApprovalFlow, settings: ServerSettings) {
  const handle = createFetchHandler(flow, { ...settings, dialects: everyDialect });
  const shared = withConcurrencyLimit(settings);
  const [socket] = everyDialect.flatMap(({ sockets }) => sockets?.(flow, shared) ?? []);
  return {
    /** Opens a session of the dialect that has a socket. */
    openSession: socket?.open,
    /** @returns `undefined` for a request that belongs to no dialect */
    handle(request: Request): Promise<Response> | undefined {
      return paths.test(new URL(request.url).pathname) ? handle(request) : undefined;
    },
  };
}
