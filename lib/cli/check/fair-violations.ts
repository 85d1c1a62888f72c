import type { UIMessageChunk } from 'ai';
import { isOutcome } from '../../testing/response-timing/chunk-kinds.ts';
import type { Violation } from '../../testing/response-timing/violation.ts';

/** Violations of one turn, those that no client can notice apart. */
export type SortedViolations = {
  readonly violations: readonly Violation[];
  /** Breaks of a rule's letter that leave the client with the same message. */
  readonly differences: readonly Violation[];
};

/**
 * Tells what harms from what does not, for backends that were not written to these rules:
 *
 * - T4: when no response names a message at all, the SDK's clients go on with the one they have.
 * - T5: an outcome before the first step mark changes a part that an earlier response showed, and begins none. That it
 *   stands before the text is a matter of T3.
 *
 * @source contract T4, T5
 */
export function fairViolations(
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
