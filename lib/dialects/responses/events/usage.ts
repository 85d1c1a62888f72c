import type { Usage } from '../../../protocol/index.ts';
import type { ResponseUsage } from '../schema/response-schema.ts';

/** Adds up what a response's model calls used. @source C12 */
export function createUsage() {
  let input = 0;
  let output = 0;
  return {
    add({ inputTokens = 0, outputTokens = 0 }: Usage): void {
      input += inputTokens;
      output += outputTokens;
    },
    total: (): ResponseUsage => ({
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    }),
  };
}
