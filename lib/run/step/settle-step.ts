import type { AssistantContent, ModelMessage } from 'ai';
import { redactParsed } from '../../log/redaction.ts';
import { holdsContent } from '../../log/turn/response-content.ts';
import { type Call, calls, type Turn } from '../../log/turn/turn.ts';
import { isExecutable } from '../../log/turn/wants-answer.ts';
import type { EventBody, Gate, JsonValue, ModelOutput, ToolCallId } from '../../protocol/index.ts';
import { canonicalJson, redact, strikeOut, toJson } from '../../protocol/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import {
  describeCall,
  detailsOf,
  executorOf,
  kindOf,
  modelOutputOf,
  summarizeOutput,
  toolNamed,
} from '../../settings/tool-details.ts';
import { type InputParsing, parseInput, type Tools } from '../call/parse-input.ts';
import type { Schemas } from '../call/schemas.ts';
import type { StepProduct } from './step-product.ts';

/** The events that finish a step: its messages, its calls, and the ends that are known already. */
export type StepOutcome = readonly EventBody[];

/** The model said and called nothing, and the response holds nothing else: an empty one would be sent again. @source T15 */
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
  schemas,
  turn,
  step,
  product,
  isUsed,
}: {
  settings: FlowSettings;
  schemas: Schemas;
  turn: Turn;
  step: number;
  product: StepProduct;
  isUsed: (toolCallId: string) => boolean;
}): Promise<StepOutcome> {
  const { toolCalls, finishReason, usage } = product;
  if (!product.spoke && toolCalls.length === 0 && product.ends.size === 0) {
    if (!holdsContent(turn)) {
      throw new EmptyStepError('The model ended its step without text and without a call.');
    }
    // Model APIs refuse an assistant message without content, and reasoning that nothing follows.
    const silence: EventBody = { type: 'step-finished', step, messages: [], finishReason, usage };
    return [silence];
  }
  const ids = assignIds(toolCalls, step, turn, isUsed);
  const events: EventBody[] = [
    { type: 'step-finished', step, messages: ownMessages(product, ids), finishReason, usage },
  ];
  for (const toolCall of toolCalls) {
    const { id, isNew } = idOf(ids, toolCall);
    const { request, end } = await settleCall({ settings, schemas }, product, toolCall, id);
    if (isNew) events.push(request);
    if (end) events.push(end);
    else if (!isExecutable(finishReason)) events.push(cutOff(id, finishReason));
  }
  return [...events, ...(await lateEnds(settings, turn, product))];
}

/**
 * What the SDK made of one call, as events: the call with its gate, and its end, if it has one already.
 *
 * @param id of the call in this chat
 */
export async function settleCall(
  tools: Tools,
  product: StepProduct,
  toolCall: ToolCall,
  id: ToolCallId,
): Promise<{ request: Extract<EventBody, { type: 'tool-requested' }>; end: EventBody | undefined }> {
  const { settings } = tools;
  const input = inputOf(toolCall);
  const gate = gateOf(product, toolCall, settings);
  const { request, parsing } = await requested(
    tools,
    toolCall,
    id,
    input,
    shownGate(settings, toolCall, gate),
  );
  const end = await endOf(settings, product, toolCall, request, parsing, gate);
  return { request, end };
}

/** Results of provider calls that were made in an earlier step and not announced anew (T14, deferred results). */
async function lateEnds(settings: FlowSettings, turn: Turn, product: StepProduct): Promise<EventBody[]> {
  const announced = new Set(product.toolCalls.map(({ toolCallId }) => toolCallId));
  const late = calls(turn).flatMap((call) => {
    const { executor, toolCallId } = call.requested;
    const end = product.ends.get(toolCallId);
    return executor === 'provider' && end && !call.end && !announced.has(toolCallId) ? [{ call, end }] : [];
  });
  return Promise.all(late.map(({ call: { requested }, end }) => providerEnd(settings, end, requested)));
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
 * (the log has those) and tool messages (results come from recorded ends).
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
  if (!toolCall.providerExecuted && product.failedGates.has(toolCall.toolCallId)) return { type: 'failed' };
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
  const call = { toolName, executor, inputForm: 'raw' as const };
  const parsing = invalid ? undefined : await parseInput(tools, call, input);
  const parsed = parsing?.fits ? parsing : undefined;
  const description =
    parsed && describeCall(settings, toolName, redactParsed(parsed.value, input, secrets?.input));
  const shownTitle = settings.toolDetails?.[toolName]?.title ?? title;
  const request: Extract<EventBody, { type: 'tool-requested' }> = {
    type: 'tool-requested',
    toolCallId,
    toolName,
    input,
    inputForm: 'raw',
    ...(parsed?.runsAs === undefined ? {} : { runsAs: parsed.runsAs }),
    executor,
    kind: kindOf(settings, toolName),
    gate,
    ...(shownTitle === undefined ? {} : { title: shownTitle }),
    ...(description === undefined ? {} : { description }),
    ...(dynamic ? { dynamic } : {}),
    ...(invalid || parsing?.fits === false ? { invalid: true } : {}),
    ...(secrets ? { secrets } : {}),
    ...(tool?.type === 'provider' && tool.supportsDeferredResults ? { deferred: true } : {}),
  };
  return { request, parsing };
}

async function endOf(
  settings: FlowSettings,
  product: StepProduct,
  toolCall: ToolCall,
  request: Extract<EventBody, { type: 'tool-requested' }>,
  parsing: InputParsing | undefined,
  gate: Gate,
): Promise<EventBody | undefined> {
  const { toolCallId } = request;
  if (gate.type === 'failed') {
    const error = `Not run: the approval rule of ${toolCall.toolName} failed.`;
    return failed(toolCallId, error, error);
  }
  if (gate.type === 'automatic' && !gate.approved) {
    const { reason } = gate;
    const shown = shownGate(settings, toolCall, gate);
    return {
      type: 'tool-denied',
      toolCallId,
      ...(shown.type === 'automatic' ? { reason: shown.reason } : {}),
      modelOutput: { type: 'execution-denied', reason },
    };
  }
  const end = product.ends.get(toolCall.toolCallId);
  if (toolCall.invalid) {
    const error = messageOf(end?.type === 'tool-error' ? end.error : toolCall.error);
    return failed(toolCallId, error, shownInvalid(settings, toolCall));
  }
  // A schema that answers otherwise each time it is asked: what does not fit now does not run.
  if (parsing?.fits === false) {
    return failed(toolCallId, messageOf(parsing.error), shownInvalid(settings, toolCall));
  }
  if (!toolCall.providerExecuted || !end) return undefined;
  return providerEnd(settings, end, request);
}

async function providerEnd(
  settings: FlowSettings,
  end: StepEnd,
  { toolName, toolCallId, input }: Pick<Call['requested'], 'toolName' | 'toolCallId' | 'input'>,
): Promise<EventBody> {
  const { secrets } = detailsOf(settings, toolName);
  if (end.type === 'tool-error') {
    const error = messageOf(end.error);
    return failed(toolCallId, error, strikeOut(error, input, secrets?.input));
  }
  const output = toJson(end.output);
  const tool = toolNamed(settings, toolName);
  return {
    type: 'tool-completed',
    toolCallId,
    output,
    modelOutput: await modelOutputOf(tool, { toolCallId, input }, end.output),
    ...summarizeOutput(settings, toolName, output, redact(input, secrets?.input)),
  };
}

/** The SDK's error is long and quotes the arguments, so only the model gets it. People get one sentence. */
export function shownInvalid(settings: FlowSettings, { toolName }: { readonly toolName: string }): string {
  return toolNamed(settings, toolName)
    ? `The arguments do not fit the schema of ${toolName}.`
    : `There is no tool ${toolName}.`;
}

function failed(toolCallId: ToolCallId, told: string, error: string): EventBody {
  const modelOutput: ModelOutput = { type: 'error-text', value: told };
  return {
    type: 'tool-failed',
    toolCallId,
    error,
    outcome: 'failed',
    retryable: false,
    wasRetried: false,
    modelOutput,
  };
}

function cutOff(toolCallId: ToolCallId, finishReason: string): EventBody {
  const reason = `Not run: the model's step ended early (${finishReason}).`;
  return { type: 'tool-cancelled', toolCallId, reason, modelOutput: { type: 'error-text', value: reason } };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
