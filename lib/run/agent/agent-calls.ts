import type { ModelMessage } from 'ai';
import type { Call } from '../../log/turn/turn.ts';
import type { EventBody, ToolCallId } from '../../protocol/index.ts';
import { scopeOf } from '../../settings/agents/agents.ts';
import type { TurnTools } from '../step/gate.ts';
import { gateAgain, type RepeatedCall } from '../step/gate-again.ts';

type Request = Extract<EventBody, { type: 'tool-requested' }>;

export function asOfAgent({ requested }: Call, request: Request): Request {
  const { toolCallId, toolName, title = toolName } = requested;
  return {
    ...request,
    toolName: `${toolName}/${request.toolName}`,
    title: `${title} → ${request.title ?? request.toolName}`,
    parent: toolCallId,
    // It is not a tool of the page, whose types do not contain it.
    dynamic: true,
  };
}

/** Passes a subagent's call through the subagent's gate again. @see gateAgain */
export async function gateAgainOfAgent(
  tools: TurnTools,
  agent: Call,
  call: RepeatedCall,
  toolCallId: ToolCallId,
  messages: ModelMessage[],
): ReturnType<typeof gateAgain> {
  const { settings, name } = scopeOf(tools.settings, call.toolName);
  const repeated = await gateAgain({ ...tools, settings }, { ...call, toolName: name }, toolCallId, messages);
  return { ...repeated, request: asOfAgent(agent, repeated.request) };
}
