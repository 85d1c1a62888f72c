import type { ApprovalFlow } from '../../flow/approval-flow.ts';
import type { Route } from '../../flow/plugin/http.ts';
import {
  CountersignError,
  type FlowEvent,
  type Principal,
  parseChatId,
  parseToolCallId,
  type StoredText,
  type ToolCallId,
} from '../../protocol/index.ts';
import type { ToolResultJson } from '../../protocol/wire/tool-result.ts';
import { runtime } from '../../runtime/runtime.ts';
import { withResolvedEnds } from '../../views/reader/resolved-ends.ts';
import { jsonWithText } from '../json-with-text.ts';
import { createRoute, type ServerSettings } from '../route.ts';

/** `GET /api/chat/{chatId}/tool-results/{toolCallId}`: the full result of one call. @source D19, S12 */
export function readToolResult(flow: ApprovalFlow, settings: ServerSettings): Route {
  return createRoute(settings, ({ principal, segment }) =>
    toolResultResponse(flow, { principal, chatId: segment(2), toolCallId: segment(0) }),
  );
}

type Named = { readonly principal: Principal; readonly chatId: unknown; readonly toolCallId: unknown };

/** One result as JSON, a large text as it is read. @throws CountersignError as `toolResult` @source D19, S12 */
export async function toolResultResponse(flow: ApprovalFlow, named: Named): Promise<Response> {
  const { storedText, ...result } = await toolResult(flow, named);
  // Reading the log and writing the response both take milliseconds for a long result.
  await runtime.turnOfEventLoop();
  if (!storedText) return Response.json(result);
  const { toolCallId } = result;
  const text = await flow.chats.resultText({ ...named, chatId: parseChatId(named.chatId), toolCallId });
  return text ? jsonWithText(result, text) : Response.json(result);
}

/** One result, without secrets. @throws CountersignError `not-found`; `invalid-request` for ids that are none */
async function toolResult(flow: ApprovalFlow, named: Named): Promise<ToolResult> {
  const chatId = parseChatId(named.chatId);
  const toolCallId = parseToolCallId(named.toolCallId);
  const events = withResolvedEnds(await flow.chats.timeline({ principal: named.principal, chatId }));
  const result = resultOf(events.filter((event) => 'toolCallId' in event && event.toolCallId === toolCallId));
  if (result) return result;
  const problem = `Chat ${chatId} has no result of a call ${toolCallId}.`;
  throw new CountersignError('not-found', problem, { chatId, toolCallId });
}

type ToolResult = Omit<ToolResultJson, 'toolCallId'> & {
  readonly toolCallId: ToolCallId;
  readonly storedText?: StoredText;
};

function resultOf(events: readonly FlowEvent[]): ToolResult | undefined {
  const requested = events.find((event) => event.type === 'tool-requested');
  if (!requested) return undefined;
  const { toolCallId, toolName } = requested;
  for (const event of events) {
    switch (event.type) {
      case 'tool-completed':
        return { toolCallId, toolName, output: event.output, storedText: event.storedText };
      case 'tool-failed':
        return { toolCallId, toolName, error: event.error };
      case 'tool-denied':
        return { toolCallId, toolName, error: denialOf(event) };
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
