import type { Usage } from '../../../protocol/index.ts';
import type { ResponseUsage } from '../client/schema/response-schema.ts';

/** Adds up what a response's model calls used, those of subagents included. @source C12 */
export function createUsage() {
  let [input, cached, written, output, reasoning] = [0, 0, 0, 0, 0];
  return {
    add(usage: Usage): void {
      input += usage.inputTokens ?? 0;
      cached += usage.cachedInputTokens ?? 0;
      written += usage.cacheWriteTokens ?? 0;
      output += usage.outputTokens ?? 0;
      reasoning += usage.reasoningTokens ?? 0;
    },
    total: (): ResponseUsage => ({
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: reasoning },
      total_tokens: input + output,
    }),
  };
}
