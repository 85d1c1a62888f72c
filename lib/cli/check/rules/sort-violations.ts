import type { UIMessageChunk } from 'ai';
import { isOutcome } from '../../../testing/response-timing/chunk-kinds.ts';
import type { Violation } from '../../../testing/response-timing/violation.ts';

/** The violations of one turn, sorted by whether a client can notice them. */
export type SortedViolations = {
  readonly violations: readonly Violation[];
  /** Deviations after which the client has the same message. */
  readonly differences: readonly Violation[];
};

/**
 * Separates violations from harmless differences, for backends that were not written for these rules:
 *
 * - T4: if no response names a message at all, the SDK's clients continue with the current one.
 * - T5: an outcome before the first step mark changes a part that an earlier response showed and starts no new one. T3
 *   covers that it comes before the text.
 *
 * @source T4, T5
 */
export function sortViolations(
  violations: readonly Violation[],
  responses: readonly UIMessageChunk[][],
): SortedViolations {
  const namesMessages = responses
    .flat()
    .some((chunk) => chunk.type === 'start' && chunk.messageId !== undefined);
  const isHarmless = ({ rule, chunks, response }: Violation) =>
    (rule === 'T4' && !namesMessages) ||
    (rule === 'T5' && chunks.every((chunk) => isOfEarlierCall(chunk, responses.slice(0, response))));
  return {
    violations: violations.filter((violation) => !isHarmless(violation)),
    differences: violations.filter(isHarmless),
  };
}

function isOfEarlierCall(chunk: UIMessageChunk, earlier: readonly UIMessageChunk[][]): boolean {
  if (!isOutcome(chunk) || chunk.type === 'tool-input-error') return false;
  return earlier.flat().some((known) => 'toolCallId' in known && known.toolCallId === chunk.toolCallId);
}
