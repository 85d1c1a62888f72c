import type { LanguageModelUsage } from 'ai';
import { calls, type Turn } from '../../log/turn/turn.ts';
import { errorPlace, isRecord, type JsonObject, type Logger, toJson } from '../../protocol/index.ts';
import type { FlowSettings, MetadataPart } from '../../settings/flow-settings.ts';

/** What `messageMetadata` returns, recorded once as JSON. A failing one leaves the turn without. */
export function turnMetadata(
  { settings, logger }: { readonly settings: FlowSettings; readonly logger: Logger },
  part: MetadataPart,
): { metadata?: JsonObject } {
  if (!settings.messageMetadata) return {};
  try {
    const given = settings.messageMetadata({ part }) ?? undefined;
    if (given === undefined) return {};
    const metadata = toJson(given);
    if (isRecord(metadata)) return { metadata: metadata as JsonObject };
    logger.error('`messageMetadata` must return an object. Its result is not used.', { part: part.type });
  } catch (error) {
    logger.error('`messageMetadata` failed. The message has no metadata from it.', {
      part: part.type,
      error: errorPlace(error),
    });
  }
  return {};
}

/** The SDK's part for the end of a turn. Its usage is that of all model calls of the turn. */
export function finishPart(turn: Turn, finishReason: string): MetadataPart {
  const ofAgents = calls(turn).flatMap(({ kept, agentSteps = [] }) => (kept ? [] : agentSteps));
  const steps = [...turn.steps.slice(turn.keptSteps), ...ofAgents];
  const usages = steps.flatMap(({ finished }) => finished?.usage ?? []);
  const inputTokens = sumOf(usages.map((usage) => usage.inputTokens));
  const outputTokens = sumOf(usages.map((usage) => usage.outputTokens));
  const totalUsage: LanguageModelUsage = {
    inputTokens,
    inputTokenDetails: { noCacheTokens: undefined, cacheReadTokens: undefined, cacheWriteTokens: undefined },
    outputTokens,
    outputTokenDetails: { textTokens: undefined, reasoningTokens: undefined },
    totalTokens: sumOf([inputTokens, outputTokens]),
  };
  return {
    type: 'finish',
    finishReason: finishReason as Extract<MetadataPart, { type: 'finish' }>['finishReason'],
    rawFinishReason: undefined,
    totalUsage,
  };
}

/** `undefined` if no number is known, as in the SDK. */
function sumOf(counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0);
}
