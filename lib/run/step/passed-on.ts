import { hasSecrets } from '../../settings/agents.ts';
import type { FlowSettings } from '../../settings/flow-settings.ts';

/** The settings that are the SDK's own, under its own names; keys and rules of ours stay here, and so does the gate. */
export function passedOn(settings: FlowSettings) {
  const { model, instructions, toolChoice, activeTools, repairToolCall, headers } = settings;
  const { maxOutputTokens, temperature, topP, topK, presencePenalty, frequencyPenalty } = settings;
  const { stopSequences, seed, reasoning, maxRetries, providerOptions, output, include } = settings;
  const { allowSystemInMessages, toolOrder, experimental_download } = settings;
  return {
    model,
    instructions,
    toolChoice,
    activeTools,
    repairToolCall,
    headers,
    maxOutputTokens,
    temperature,
    topP,
    topK,
    presencePenalty,
    frequencyPenalty,
    stopSequences,
    seed,
    maxRetries,
    providerOptions,
    reasoning,
    output,
    include,
    allowSystemInMessages,
    toolOrder,
    experimental_download,
    timeout: chunkTimeouts(settings),
    telemetry: telemetryOf(settings),
  };
}

/** The SDK measures the pauses of one response. The other limits are the engine's. @see beginTimeLimits */
function chunkTimeouts({ timeout }: FlowSettings) {
  if (typeof timeout !== 'object') return undefined;
  const { firstChunkMs, chunkMs } = timeout;
  return { firstChunkMs, chunkMs };
}

/**
 * The model's messages contain secrets, and the SDK's telemetry cannot omit them. So if the flow has any secrets, it
 * records neither inputs nor outputs, whatever the setting says.
 *
 * @source ADR 0011
 */
function telemetryOf(settings: FlowSettings): FlowSettings['telemetry'] {
  const { telemetry } = settings;
  return hasSecrets(settings) ? { ...telemetry, recordInputs: false, recordOutputs: false } : telemetry;
}
