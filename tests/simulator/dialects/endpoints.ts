import { createChatSocket } from '../../../lib/dialects/chat-socket/session.ts';
import { createResponsesHandler } from '../../../lib/dialects/responses/handler.ts';
import { createToolEventsHandler } from '../../../lib/dialects/tool-events/handler.ts';
import { createTwoStepHandlers } from '../../../lib/dialects/two-step-stream/handler.ts';
import type { ApprovalFlow } from '../../../lib/flow/index.ts';
import type { ServerSettings } from '../../../lib/server/route.ts';

/** The handlers of all dialects of one instance. */
export function createDialectEndpoints(flow: ApprovalFlow, settings: ServerSettings) {
  const toolEvents = createToolEventsHandler(flow, settings);
  const twoStep = createTwoStepHandlers(flow, settings);
  const responses = createResponsesHandler(flow, { ...settings, serverTools: 'mcp_call' });
  const openSession = createChatSocket(flow, settings);

  return {
    openSession,
    /** @returns `undefined` for a request that belongs to no dialect */
    handle(request: Request): Promise<Response> | undefined {
      const { pathname } = new URL(request.url);
      const isPost = request.method === 'POST';
      if (pathname.startsWith('/v1/')) return responses.all(request);
      if (pathname.startsWith('/api/dialects/tool-events')) {
        return isPost ? toolEvents.POST(request) : toolEvents.GET(request);
      }
      if (pathname === '/api/chat/message') return twoStep.message.POST(request);
      if (pathname.startsWith('/api/chat/stream/')) return twoStep.stream.GET(request);
      return undefined;
    },
  };
}
