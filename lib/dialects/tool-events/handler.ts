import type { ApprovalFlow } from '../../flow/types.ts';
import { defaultKeepAliveMs, eventStreamResponse } from '../../http/event-stream.ts';
import { readJson } from '../../http/read-json.ts';
import { createRoute, type Route, type ServerSettings } from '../../http/route.ts';
import { systemClock } from '../../http/system-clock.ts';
import type { FlowEvent, Principal } from '../../vocabulary/index.ts';
import { beginTurn, notFitting } from '../begin-turn.ts';
import { createToolEventMapping } from './mapping.ts';
import { type ToolEvent, toolEventsRequestSchema } from './schema.ts';

const maxBodyBytes = 64 * 1024;
const noApprovals = 'This client cannot ask for approval.';

/**
 * `POST /api/dialects/tool-events` `{ conversationId?, message }`: one turn as tool invocation events, over all its
 * questions. A client that sends `accept-approvals: 1` is told of questions (and answers them at
 * `POST /api/approvals/{id}`); for any other, gated calls are denied.
 *
 * @source contract A
 */
export function createToolEventsHandler(flow: ApprovalFlow, settings: ServerSettings): { POST: Route } {
  const POST = createRoute(settings, async ({ principal, request }) => {
    const parsed = toolEventsRequestSchema.safeParse(await readJson(request, maxBodyBytes));
    if (!parsed.success) throw notFitting('The request', parsed.error.issues[0]);
    const { message: text, conversationId } = parsed.data;
    const { chatId, stream } = await beginTurn(flow, {
      principal,
      text,
      chatId: conversationId,
      via: 'tool-events',
    });
    const framesOf = createToolEventMapping(chatId);
    const asks = request.headers.get('accept-approvals') === '1';
    const frames = stream.events.pipeThrough(
      new TransformStream<FlowEvent, string>({
        transform(event, controller) {
          if (event.type === 'approval-requested' && !asks) {
            framesOf(event);
            deny(flow, principal, event.approvalId, settings);
            return;
          }
          for (const frame of framesOf(event)) controller.enqueue(toFrame(frame));
        },
      }),
    );
    const { clock = systemClock } = settings;
    return eventStreamResponse(frames, { clock, keepAliveMs: defaultKeepAliveMs });
  });
  return { POST };
}

function toFrame(event: ToolEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

function deny(
  flow: ApprovalFlow,
  principal: Principal,
  approvalId: Extract<FlowEvent, { type: 'approval-requested' }>['approvalId'],
  { logger }: ServerSettings,
): void {
  const answer = { approvalId, principal, approved: false, reason: noApprovals, via: 'tool-events' };
  // Somebody else may have answered first, which serves as well.
  flow
    .answer(answer)
    .catch((error: unknown) => logger?.warn('A question could not be denied.', { approvalId, error }));
}
