import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import { withStatus } from '../../log/turn/status-fields.ts';
import {
  CountersignError,
  type FlowEvent,
  type Principal,
  parseChatId,
  parseToolCallId,
} from '../../protocol/index.ts';
import type { ToolResultJson } from '../../protocol/wire/tool-result.ts';
import { withResolvedEnds } from '../../views/reader/resolved-ends.ts';
import { createRoute, type Route, type ServerSettings } from '../route.ts';

/** `GET /api/chat/{chatId}/tool-results/{toolCallId}`: the full result of one call. @source D19, S12 */
export function readToolResult(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, async ({ principal, segment }) =>
    Response.json(await toolResult(flow, { principal, chatId: segment(2), toolCallId: segment(0) })),
  );
}

/**
 * The full result of one call, without what its tool keeps secret. For a call of unknown outcome, what became known later.
 *
 * @throws CountersignError `not-found`; `invalid-request` for ids that are none
 */
export async function toolResult(
  flow: ApprovalFlow,
  named: { readonly principal: Principal; readonly chatId: unknown; readonly toolCallId: unknown },
): Promise<ToolResultJson> {
  const chatId = parseChatId(named.chatId);
  const toolCallId = parseToolCallId(named.toolCallId);
  const events = withResolvedEnds(await flow.timeline({ principal: named.principal, chatId }));
  const result = resultOf(events.filter((event) => 'toolCallId' in event && event.toolCallId === toolCallId));
  if (result) return result;
  const problem = `Chat ${chatId} has no result of a call ${toolCallId}.`;
  throw new CountersignError('not-found', problem, { chatId, toolCallId });
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
