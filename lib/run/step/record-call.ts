import { redactParsed } from '../../log/redaction.ts';
import {
  type EventBody,
  type Gate,
  type JsonValue,
  strikeOut,
  type ToolCallId,
} from '../../protocol/index.ts';
import { agentOf } from '../../settings/agents/agents.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { describeCall, detailsOf, executorOf, kindOf, toolNamed } from '../../settings/tools/tool-details.ts';
import { type InputParsing, parseInput, type Tools } from '../call/input/parse-input.ts';
import { failed, messageOf, providerEnd, shownInvalid } from './call-end.ts';
import { inputOf } from './call-ids.ts';
import type { StepContent, ToolCall } from './step-content.ts';

/** One call of the SDK's result as events: the call with its gate, and its end, if it has one. */
export async function recordCall(
  tools: Tools,
  content: StepContent,
  toolCall: ToolCall,
  id: ToolCallId,
): Promise<{ request: Extract<EventBody, { type: 'tool-requested' }>; end: EventBody | undefined }> {
  const { settings } = tools;
  const input = inputOf(toolCall);
  const gate = gateOf(content, toolCall, settings);
  const { request, parsing } = await requested(
    tools,
    toolCall,
    id,
    input,
    shownGate(settings, toolCall, gate),
  );
  const end = await endOf(settings, content, toolCall, request, parsing, gate);
  return { request, end };
}

/** A provider runs its calls on its own, so asking about them would be too late. Only the provider's own questions count. */
function gateOf(content: StepContent, toolCall: ToolCall, settings: FlowSettings): Gate {
  if (!toolCall.providerExecuted && content.failedGates.has(toolCall.toolCallId)) return { type: 'failed' };
  const approval = content.approvals.find((candidate) => candidate.toolCall === toolCall);
  if (!approval) return { type: 'none' };
  const automatic = content.automatic.get(approval.approvalId);
  if (toolCall.providerExecuted) {
    return toolNamed(settings, toolCall.toolName)
      ? { type: 'none' }
      : { type: 'ask', providerApprovalId: approval.approvalId };
  }
  return automatic
    ? { type: 'automatic', approvalId: approval.approvalId as never, ...automatic }
    : { type: 'ask', reason: approval.reason };
}

/** The gate with its reason as people may read it. A gate's function has seen the whole input, and may quote it. */
function shownGate(settings: FlowSettings, toolCall: ToolCall, gate: Gate): Gate {
  if (gate.type === 'none' || gate.type === 'failed' || gate.reason === undefined) return gate;
  const { secrets } = detailsOf(settings, toolCall.toolName);
  return { ...gate, reason: strikeOut(gate.reason, inputOf(toolCall), secrets?.input) };
}

async function requested(
  tools: Tools,
  toolCall: ToolCall,
  toolCallId: ToolCallId,
  input: JsonValue,
  gate: Gate,
): Promise<{ request: Extract<EventBody, { type: 'tool-requested' }>; parsing: InputParsing | undefined }> {
  const { settings } = tools;
  const { toolName, title, dynamic, invalid, providerExecuted = false } = toolCall;
  const tool = toolNamed(settings, toolName);
  const { secrets } = detailsOf(settings, toolName);
  const executor = executorOf(tool, providerExecuted);
  const call = { toolName, executor };
  const parsing = invalid ? undefined : await parseInput(tools, call, input);
  const parsed = parsing?.fits ? parsing : undefined;
  const description =
    parsed && describeCall(settings, toolName, redactParsed(parsed.value, input, secrets?.input));
  const shownTitle = detailsOf(settings, toolName).title ?? title;
  const request: Extract<EventBody, { type: 'tool-requested' }> = {
    type: 'tool-requested',
    toolCallId,
    toolName,
    input,
    runsAs: parsed?.runsAs,
    agent: agentOf(tool) ? true : undefined,
    executor,
    kind: kindOf(settings, toolName),
    gate,
    title: shownTitle,
    description,
    dynamic: dynamic || undefined,
    invalid: invalid || parsing?.fits === false ? true : undefined,
    secrets,
    deferred: tool?.type === 'provider' && tool.supportsDeferredResults ? true : undefined,
  };
  return { request, parsing };
}

async function endOf(
  settings: FlowSettings,
  content: StepContent,
  toolCall: ToolCall,
  request: Extract<EventBody, { type: 'tool-requested' }>,
  parsing: InputParsing | undefined,
  gate: Gate,
): Promise<EventBody | undefined> {
  const { toolCallId } = request;
  if (gate.type === 'failed') {
    const error = `Not run: the approval rule of ${toolCall.toolName} failed.`;
    return failed(toolCallId, error);
  }
  if (gate.type === 'automatic' && !gate.approved) {
    const { reason } = gate;
    const shown = shownGate(settings, toolCall, gate);
    return {
      type: 'tool-denied',
      toolCallId,
      reason: shown.type === 'automatic' ? shown.reason : undefined,
      modelOutput: { type: 'execution-denied', reason },
    };
  }
  const end = content.ends.get(toolCall.toolCallId);
  if (toolCall.invalid) {
    const error = messageOf(end?.type === 'tool-error' ? end.error : toolCall.error);
    return failed(toolCallId, error, shownInvalid(settings, toolCall, toolCall.error));
  }
  // A schema may give different results each time. Input that does not fit now is not run.
  if (parsing?.fits === false) {
    return failed(toolCallId, messageOf(parsing.error), shownInvalid(settings, toolCall, parsing.error));
  }
  if (!toolCall.providerExecuted || !end) return undefined;
  return providerEnd(settings, end, request);
}
