import type { ApprovalFlow } from 'countersign';
import { createBidiServer, createSocketServer } from 'countersign/bidi/server';
import {
  createChatSocket,
  createResponsesHandler,
  createToolEventsHandler,
  createTwoStepHandlers,
} from 'countersign/dialects';
import { createConcurrencyLimit, type Route } from 'countersign/http/server';
import { createFetchHandler } from 'countersign/sse/server';
import { serve } from '../../../../lib/testing/server/serve.ts';

/** A flow over every wire at once, at the paths of the reference app. @returns its address */
export async function serveWires(flow: ApprovalFlow, ownerId: string): Promise<string> {
  // One user measures what many would do.
  const concurrencyLimit = createConcurrencyLimit({ sockets: 10_000, requests: 10_000 });
  const server = { authorize: () => ({ id: ownerId, name: 'Bench' }), concurrencyLimit };
  const bidi = createBidiServer(flow, server);
  const chatSocket = createSocketServer(server, createChatSocket(flow, server));
  const twoStep = createTwoStepHandlers(flow, server);
  const { all: responses } = createResponsesHandler(flow, server);
  const api = createFetchHandler(flow, server);
  const dialects: readonly [RegExp, Readonly<Record<string, Route>>][] = [
    [/^\/api\/dialects\/tool-events(\/(stream|result))?$/, createToolEventsHandler(flow, server)],
    [/^\/api\/chat\/message$/, twoStep.message],
    [/^\/api\/chat\/stream\/[^/]+$/, twoStep.stream],
    [/^\/v1\//, { GET: responses, POST: responses }],
  ];
  const { url } = await serve({
    fetch(request) {
      const { pathname } = new URL(request.url);
      const [, methods] = dialects.find(([path]) => path.test(pathname)) ?? [];
      return (methods?.[request.method] ?? api)(request);
    },
    upgrade: (request, socket, head) =>
      (request.url === '/api/chat/socket' ? bidi : chatSocket).handleUpgrade(request, socket, head),
  });
  return url;
}
