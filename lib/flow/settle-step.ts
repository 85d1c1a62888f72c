import type { AssistantContent, ModelMessage } from 'ai';
import type { EventBody, Gate, JsonValue, ModelOutput, ToolCallId } from '../vocabulary/index.ts';
import { canonicalJson, redact, strikeOut, toJson } from '../vocabulary/index.ts';
import { isExecutable } from './next-action.ts';
import type { StepProduct } from './run-step.ts';
import {
  describeCall,
  detailsOf,
  executorOf,
  kindOf,
  modelOutputOf,
  summarizeOutput,
  toolNamed,
} from './tool-traits.ts';
import { calls, type Turn } from './turn.ts';
import type { FlowSettings } from './types.ts';

/** The events that finish a step: its messages, its calls, and the ends that are known already. */
export type StepOutcome = readonly EventBody[];

/** The model ended its step without text, call or error: an empty reply would be sent again. @source T15 */
export class EmptyStepError extends Error {
  override readonly name = 'EmptyStepError';
}

type ToolCall = StepProduct['toolCalls'][number];
type StepEnd = NonNullable<ReturnType<StepProduct['ends']['get']>>;

/**
 * Turns what a step produced into events: decides ids, gates and executors, and settles what needs no
 * execution (invalid input, a gate's no, a provider's result, a step that was cut off).
 */
export async function settleStep({
  settings,
  turn,
  step,
  product,
  isUsed,
}: {
  settings: FlowSettings;
  turn: Turn;
  step: number;
  product: StepProduct;
  isUsed: (toolCallId: string) => boolean;
}): Promise<StepOutcome> {
  const { toolCalls, finishReason, usage } = product;
  if (!product.spoke && toolCalls.length === 0) {
    throw new EmptyStepError('The model ended its step without text and without a call.');
  }
  const ids = assignIds(toolCalls, step, turn, isUsed);
  const events: EventBody[] = [
    { type: 'step-finished', step, messages: ownMessages(product, ids), finishReason, usage },
  ];
  for (const toolCall of toolCalls) {
    const { id, isNew } = idOf(ids, toolCall);
    const input = inputOf(toolCall);
    const gate = gateOf(product, toolCall, settings);
    if (isNew) events.push(requested(settings, toolCall, id, input, shownGate(settings, toolCall, gate)));
    const end = await endOf(settings, product, toolCall, id, input, gate);
    if (end) events.push(end);
    else if (!isExecutable(finishReason)) events.push(cutOff(id, finishReason));
  }
  return [...events, ...(await lateEnds(settings, turn, product))];
}

/** Results of provider calls that were made in an earlier step and not announced anew (T14, deferred results). */
async function lateEnds(settings: FlowSettings, turn: Turn, product: StepProduct): Promise<EventBody[]> {
  const announced = new Set(product.toolCalls.map(({ toolCallId }) => toolCallId));
  const late = calls(turn).flatMap((call) => {
    const { executor, toolCallId } = call.requested;
    const end = product.ends.get(toolCallId);
    return executor === 'provider' && end && !call.end && !announced.has(toolCallId) ? [{ call, end }] : [];
  });
  return Promise.all(
    late.map(({ call: { requested }, end }) =>
      providerEnd(settings, end, requested.toolName, requested.toolCallId, requested.input),
    ),
  );
}

type Ids = Map<ToolCall, { readonly id: ToolCallId; readonly isNew: boolean }>;

/**
 * Clients match parts by id, so a repeated id is rewritten. A provider that runs an approved call may
 * announce it anew, under the same id or another: that is the approved call, not a new one (T14).
 */
function assignIds(
  toolCalls: readonly ToolCall[],
  step: number,
  turn: Turn,
  isUsed: (id: string) => boolean,
): Ids {
  const ids: Ids = new Map();
  const taken = new Set<string>();
  const awaited = calls(turn).filter(
    ({ requested, answered, end }) => requested.executor === 'provider' && answered?.approved && !end,
  );
  toolCalls.forEach((toolCall, index) => {
    const known = toolCall.providerExecuted ? takeAwaited(awaited, toolCall) : undefined;
    if (known) {
      ids.set(toolCall, { id: known, isNew: false });
      return;
    }
    let id = toolCall.toolCallId;
    for (let attempt = index; taken.has(id) || isUsed(id); attempt += 1) {
      id = `${toolCall.toolCallId}-${step}-${attempt}`;
    }
    taken.add(id);
    ids.set(toolCall, { id: id as ToolCallId, isNew: true });
  });
  return ids;
}

function takeAwaited(awaited: ReturnType<typeof calls>, toolCall: ToolCall): ToolCallId | undefined {
  const input = canonicalJson(inputOf(toolCall));
  const sameId = awaited.findIndex(({ requested }) => requested.toolCallId === toolCall.toolCallId);
  const index =
    sameId !== -1
      ? sameId
      : awaited.findIndex(
          ({ requested }) =>
            requested.toolName === toolCall.toolName && canonicalJson(requested.input) === input,
        );
  return index === -1 ? undefined : awaited.splice(index, 1)[0]?.requested.toolCallId;
}

function idOf(ids: Ids, toolCall: ToolCall) {
  const entry = ids.get(toolCall);
  if (!entry) throw new Error(`Tool call ${toolCall.toolCallId} was given no id.`);
  return entry;
}

/** What the schema could not parse is kept as it came. */
function inputOf(toolCall: ToolCall): JsonValue {
  return toJson(toolCall.input);
}

/**
 * The SDK's response messages verbatim, but for three things: ids as assigned, the gate's own approval parts
 * (the log has those) and tool messages (results are told by recorded ends).
 */
function ownMessages(product: StepProduct, ids: Ids): ModelMessage[] {
  const queue = [...product.toolCalls];
  const current = new Map<string, ToolCallId>();
  const asked = new Set(
    product.approvals.filter(({ toolCall }) => toolCall.providerExecuted).map((a) => a.approvalId),
  );
  return product.messages.flatMap((message): ModelMessage[] => {
    if (message.role !== 'assistant') return [];
    if (typeof message.content === 'string') return [message];
    const content = message.content.flatMap((part): Exclude<AssistantContent, string> => {
      if (part.type === 'tool-call') {
        const next = queue.shift();
        const toolCallId = next ? idOf(ids, next).id : part.toolCallId;
        current.set(part.toolCallId, toolCallId as ToolCallId);
        return [{ ...part, toolCallId }];
      }
      if (part.type === 'tool-approval-request') {
        const toolCallId = current.get(part.toolCallId) ?? part.toolCallId;
        return asked.has(part.approvalId) ? [{ ...part, toolCallId }] : [];
      }
      if (part.type === 'tool-result') {
        return [{ ...part, toolCallId: current.get(part.toolCallId) ?? part.toolCallId }];
      }
      return [part];
    });
    return [{ ...message, content }];
  });
}

/** Asking about a call that a provider runs by itself would come after the fact, so only its own questions count. */
function gateOf(product: StepProduct, toolCall: ToolCall, settings: FlowSettings): Gate {
  const approval = product.approvals.find((candidate) => candidate.toolCall === toolCall);
  if (!approval) return { type: 'none' };
  const automatic = product.automatic.get(approval.approvalId);
  if (toolCall.providerExecuted) {
    return toolNamed(settings, toolCall.toolName)
      ? { type: 'none' }
      : { type: 'ask', providerApprovalId: approval.approvalId };
  }
  return automatic
    ? { type: 'automatic', approvalId: approval.approvalId as never, ...automatic }
    : { type: 'ask', reason: approval.reason };
}

/** The reason is read by people. A gate's function has seen the whole input, and may quote it. */
function shownGate(settings: FlowSettings, toolCall: ToolCall, gate: Gate): Gate {
  if (gate.type === 'none' || gate.reason === undefined) return gate;
  const { secrets } = detailsOf(settings, toolCall.toolName);
  return { ...gate, reason: strikeOut(gate.reason, inputOf(toolCall), secrets?.input) };
}

function requested(
  settings: FlowSettings,
  toolCall: ToolCall,
  toolCallId: ToolCallId,
  input: JsonValue,
  gate: Gate,
): EventBody {
  const { toolName, title, dynamic, invalid, providerExecuted = false } = toolCall;
  const tool = toolNamed(settings, toolName);
  const { secrets } = detailsOf(settings, toolName);
  const description = invalid ? undefined : describeCall(settings, toolName, redact(input, secrets?.input));
  const shownTitle = settings.toolDetails?.[toolName]?.title ?? title;
  return {
    type: 'tool-requested',
    toolCallId,
    toolName,
    input,
    executor: executorOf(tool, providerExecuted),
    kind: kindOf(settings, toolName),
    gate,
    ...(shownTitle === undefined ? {} : { title: shownTitle }),
    ...(description === undefined ? {} : { description }),
    ...(dynamic ? { dynamic } : {}),
    ...(invalid ? { invalid } : {}),
    ...(secrets ? { secrets } : {}),
    ...(tool?.type === 'provider' && tool.supportsDeferredResults ? { deferred: true } : {}),
  };
}

async function endOf(
  settings: FlowSettings,
  product: StepProduct,
  toolCall: ToolCall,
  toolCallId: ToolCallId,
  input: JsonValue,
  gate: Gate,
): Promise<EventBody | undefined> {
  if (gate.type === 'automatic' && !gate.approved) {
    const { reason } = gate;
    const shown = shownGate(settings, toolCall, gate);
    return {
      type: 'tool-denied',
      toolCallId,
      ...(shown.type === 'none' ? {} : { reason: shown.reason }),
      modelOutput: { type: 'execution-denied', reason },
    };
  }
  const end = product.ends.get(toolCall.toolCallId);
  if (toolCall.invalid) {
    const error = messageOf(end?.type === 'tool-error' ? end.error : toolCall.error);
    return failed(toolCallId, error, shownInvalid(settings, toolCall));
  }
  if (!toolCall.providerExecuted || !end) return undefined;
  return providerEnd(settings, end, toolCall.toolName, toolCallId, input);
}

async function providerEnd(
  settings: FlowSettings,
  end: StepEnd,
  toolName: string,
  toolCallId: ToolCallId,
  input: JsonValue,
): Promise<EventBody> {
  if (end.type === 'tool-error') {
    const error = messageOf(end.error);
    return failed(toolCallId, error, strikeOut(error, input, detailsOf(settings, toolName).secrets?.input));
  }
  const output = toJson(end.output);
  const tool = toolNamed(settings, toolName);
  return {
    type: 'tool-completed',
    toolCallId,
    output,
    modelOutput: await modelOutputOf(tool, { toolCallId, input }, end.output),
    ...summarizeOutput(settings, toolName, output, input),
  };
}

/** The SDK's error is long and quotes the arguments: it is for the model. People are told the fact. */
function shownInvalid(settings: FlowSettings, { toolName }: ToolCall): string {
  return toolNamed(settings, toolName)
    ? `The arguments do not fit the schema of ${toolName}.`
    : `There is no tool ${toolName}.`;
}

function failed(toolCallId: ToolCallId, told: string, error: string): EventBody {
  const modelOutput: ModelOutput = { type: 'error-text', value: told };
  return { type: 'tool-failed', toolCallId, error, retryable: false, wasRetried: false, modelOutput };
}

function cutOff(toolCallId: ToolCallId, finishReason: string): EventBody {
  const reason = `Not run: the model's step ended early (${finishReason}).`;
  return { type: 'tool-cancelled', toolCallId, reason, modelOutput: { type: 'error-text', value: reason } };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
