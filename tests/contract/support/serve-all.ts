import { createBidiServer, createSocketServer } from 'countersign/bidi/server';
import {
  createChatSocket,
  createResponsesHandler,
  createToolEventsHandler,
  createTwoStepHandlers,
} from 'countersign/dialects';
import type { Route } from 'countersign/http/server';
import { createFetchHandler } from 'countersign/sse/server';
import { onTestFinished } from 'vitest';
import type { ApprovalFlow } from '../../../lib/flow/approval-flow.ts';
import type { Principal } from '../../../lib/protocol/index.ts';
import { serve } from '../../../lib/testing/server/serve.ts';
import { userHeader } from '../../support/serve-fixture.ts';

const silent = { warn: () => {}, error: () => {} };

/** The user that a test names in a header. Nobody without one. */
function authorize(request: Request): Principal | null {
  const id = request.headers.get(userHeader);
  return id === null ? null : { id, name: id };
}

/** What all server halves may be given. */
type Settings = Partial<Parameters<typeof createBidiServer>[1]>;

/** Every endpoint, both transports and all dialects of a flow on one loopback port, until the test has finished. */
export async function serveAll(flow: ApprovalFlow, settings: Settings = {}): Promise<string> {
  const server = { authorize, logger: silent, ...settings };
  const api = createFetchHandler(flow, server);
  const twoStep = createTwoStepHandlers(flow, server);
  const dialects: [RegExp, Readonly<Record<string, Route>>][] = [
    [/^\/api\/dialects\/tool-events(\/(stream|result|retry))?$/, createToolEventsHandler(flow, server)],
    [/^\/api\/chat\/message$/, twoStep.message],
    [/^\/api\/chat\/stream\/[^/]+$/, twoStep.stream],
  ];
  const gateway = createResponsesHandler(flow, server).all;
  const bidi = createBidiServer(flow, server);
  const chatSocket = createSocketServer(server, createChatSocket(flow, server));
  const served = await serve({
    upgrade: (request, socket, head) =>
      (request.url === '/api/chat/socket' ? bidi : chatSocket).handleUpgrade(request, socket, head),
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith('/v1/')) return gateway(request);
      const routes = dialects.find(([path]) => path.test(pathname))?.[1];
      return (routes?.[request.method] ?? api)(request);
    },
  });
  onTestFinished(async () => {
    await Promise.all([bidi.close(), chatSocket.close()]);
    await served.close();
  });
  return served.url;
}
