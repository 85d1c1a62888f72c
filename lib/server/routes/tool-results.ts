import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import { withStatus } from '../../log/turn/status-fields.ts';
import { CountersignError, type FlowEvent, parseChatId, parseToolCallId } from '../../protocol/index.ts';
import type { ToolResultJson } from '../../protocol/wire/tool-result.ts';
import { withResolvedEnds } from '../../views/reader/resolved-ends.ts';
import { createRoute, type Route, type ServerSettings } from '../route.ts';

/**
 * `GET /api/chat/{chatId}/tool-results/{toolCallId}`: the full result of one call, without what its tool keeps
 * secret. For a call of unknown outcome, what became known later.
 *
 * @source D19, S12
 */
export function readToolResult(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, segment }) => {
    const chatId = parseChatId(segment(2));
    const toolCallId = parseToolCallId(segment(0));
    const events = withResolvedEnds(await flow.timeline({ principal, chatId }));
    const result = resultOf(
      events.filter((event) => 'toolCallId' in event && event.toolCallId === toolCallId),
    );
    if (result) return Response.json(result);
    throw new CountersignError('not-found', `Chat ${chatId} has no result of a call ${toolCallId}.`, {
      chatId,
      toolCallId,
    });
  });
}

function resultOf(events: readonly FlowEvent[]): ToolResultJson | undefined {
  const requested = events.find((event) => event.type === 'tool-requested');
  if (!requested) return undefined;
  const { toolCallId, toolName } = requested;
  const withdrawal = events.find((event) => event.type === 'approval-withdrawn');
  for (const event of events) {
    switch (event.type) {
      case 'tool-completed':
        return { toolCallId, toolName, output: event.output };
      case 'tool-failed':
        return { toolCallId, toolName, error: event.error };
      case 'tool-denied':
        return { toolCallId, toolName, error: denialOf(withStatus(event, withdrawal)) };
      case 'tool-cancelled':
        return { toolCallId, toolName, error: event.reason };
      default:
    }
  }
  return undefined;
}

function denialOf({ reason, withdrawn }: { reason?: string; withdrawn?: string }): string {
  if (withdrawn) return `Not run: its question was withdrawn (${withdrawn}).`;
  return reason ? `Denied: ${reason}` : 'Denied.';
}
