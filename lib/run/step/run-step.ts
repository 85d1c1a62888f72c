import type { ModelMessage, SystemModelMessage, TextStreamPart, ToolSet } from 'ai';
import * as ai from 'ai';
import type { Journal } from '../../log/journal.ts';
import { calls, type Turn } from '../../log/turn/turn.ts';
import type { EventBody, RunId, Source } from '../../protocol/index.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';
import { gatesOf, type TurnTools } from './gate.ts';
import { passedOn } from './passed-on.ts';
import { type StepOutcome, settleStep } from './settle-step.ts';
import { deltaOf, newProduct, takeCallPart } from './step-product.ts';
import { stepRecords } from './step-records.ts';

/** Keeps no second copy of what it streams. Experimental, so where `ai` has it no more `streamText` does the same. */
const { streamText, experimental_streamTextLowMemory: streamStep = streamText } = ai;

/**
 * One model step: streams its prose into the journal, and settles what it asked for. The SDK's own gate
 * decides (`toolApproval`, `needsApproval`); tools are given without `execute`, since when a tool runs is
 * the engine's business.
 *
 * @returns the events that finish the step
 * @throws the error of the model call; the text so far is staged
 */
export async function runStep({
  settings,
  schemas,
  journal,
  runId,
  step,
  messages,
  abortSignal,
  isUsed,
  onContext,
  ...facts
}: TurnTools & {
  journal: Journal;
  runId: RunId;
  /** Counts from 0 within the turn. */
  step: number;
  messages: ModelMessage[];
  abortSignal: AbortSignal;
  /** True for a tool call id that the chat has already. */
  isUsed: (toolCallId: string) => boolean;
  /** Receives the contexts that `prepareStep` returns, for the later steps of the run. */
  onContext: (contexts: Pick<FlowSettings, 'runtimeContext' | 'toolsContext'>) => void;
}): Promise<StepOutcome> {
  const gates = gatesOf({ settings, schemas, ...facts });
  const product = newProduct(gates.failed);
  const starts = startedByRequest(journal.turn);
  if (starts.length > 0) await journal.commit(runId, ...starts);
  journal.stage(runId, { type: 'step-started', step });

  const { prepareStep } = settings;
  const steps = prepareStep ? stepRecords(journal.turn, settings) : [];
  const result = streamStep({
    ...passedOn(settings),
    toolApproval: gates.toolApproval,
    instructions: withInstructions(settings.instructions, journal.turn.options?.instructions),
    // A request that lets the provider run a call is sent once: a failed one may have had its effect.
    ...(starts.length > 0 ? { maxRetries: 0 } : {}),
    tools: gates.tools,
    toolsContext: settings.toolsContext as never,
    runtimeContext: settings.runtimeContext,
    messages,
    abortSignal,
    stopWhen: ai.isStepCount(1),
    ...(prepareStep
      ? {
          async prepareStep(options) {
            const own = await prepareStep({ ...options, ...facts, steps, stepNumber: steps.length });
            if (own) onContext(own);
            return own;
          },
        }
      : {}),
    onError: () => {},
    onStepEnd: ({ response }) => {
      product.messages = response.messages;
    },
  });

  for await (const part of result.stream) {
    switch (part.type) {
      case 'text-delta':
        if (part.text === '') break;
        product.spoke = true;
        await journal.stage(runId, deltaOf(product, part.type, `${step}.text.${part.id}`, part.text));
        break;
      case 'reasoning-delta':
        if (part.text === '') break;
        await journal.stage(runId, deltaOf(product, part.type, `${step}.reasoning.${part.id}`, part.text));
        break;
      case 'source':
      case 'file':
      case 'reasoning-file':
        product.spoke = true;
        journal.stage(runId, { type: 'source-added', source: sourceOf(part) });
        break;
      case 'finish-step':
        product.finishReason = part.finishReason;
        product.usage = { inputTokens: part.usage.inputTokens, outputTokens: part.usage.outputTokens };
        break;
      case 'error':
        throw part.error;
      default:
        takeCallPart(product, part);
    }
  }
  abortSignal.throwIfAborted();
  return settleStep({ settings, schemas, turn: journal.turn, step, product, isUsed });
}

/**
 * Approved calls that the provider runs itself. The request that carries the approval is their start. It is claimed like
 * any other: durably, before it is sent.
 *
 * @source ADR 0019, T14
 */
function startedByRequest(turn: Turn): EventBody[] {
  return calls(turn)
    .filter((call) => call.requested.executor === 'provider' && call.answered?.approved)
    .filter((call) => !call.started && !call.end)
    .map(({ requested: { toolCallId, input } }) => ({ type: 'tool-started', toolCallId, input }));
}

/** The flow's own instructions come first. A request can only add to them. */
function withInstructions(own: FlowSettings['instructions'], added: string | undefined) {
  if (added === undefined) return own;
  const ours = own === undefined ? [] : [own].flat().map(toSystemMessage);
  return [...ours, toSystemMessage(added)];
}

function toSystemMessage(content: string | SystemModelMessage): SystemModelMessage {
  return typeof content === 'string' ? { role: 'system', content } : content;
}

function sourceOf(
  part: Extract<TextStreamPart<ToolSet>, { type: 'source' | 'file' | 'reasoning-file' }>,
): Source {
  if (part.type !== 'source') {
    const { mediaType, base64 } = part.file;
    return { type: part.type, mediaType, url: `data:${mediaType};base64,${base64}` };
  }
  if (part.sourceType === 'url') {
    return { type: 'source-url', sourceId: part.id, url: part.url, title: part.title };
  }
  const { id, mediaType, title, filename } = part;
  return { type: 'source-document', sourceId: id, mediaType, title, filename };
}
