import type { FlowSettings } from '../../settings/flow-settings.ts';

/** The settings that are the SDK's own, under its own names; our own keys, rules and the gate are not included. */
export function settingsOfSdk(settings: FlowSettings) {
  const { model, instructions, toolChoice, activeTools, repairToolCall, headers } = settings;
  const { maxOutputTokens, temperature, topP, topK, presencePenalty, frequencyPenalty } = settings;
  const { stopSequences, seed, reasoning, maxRetries, providerOptions, output, include } = settings;
  const { allowSystemInMessages, toolOrder, experimental_download = fetchNothing } = settings;
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
  };
}

/** The prompt has no files that the model does not fetch itself. @see withoutWebFiles */
const fetchNothing: NonNullable<FlowSettings['experimental_download']> = async (files) =>
  files.map(({ isUrlSupportedByModel }) => {
    if (isUrlSupportedByModel) return null;
    throw new Error(
      'A file at a web address was not fetched. Set `experimental_download` to fetch such files.',
    );
  });

/** The SDK measures the times between parts of one response. The other limits are the engine's. @see beginTimeLimits */
function chunkTimeouts({ timeout }: FlowSettings) {
  if (typeof timeout !== 'object') return undefined;
  const { firstChunkMs, chunkMs } = timeout;
  return { firstChunkMs, chunkMs };
}
