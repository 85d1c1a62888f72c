import type { UIMessageChunk } from 'ai';
import type { TimingRule, Violation } from '../../../testing/response-timing/violation.ts';

/** Responses with the frames that they lack, and what was lacking. */
export type CompletedFrames = {
  readonly responses: readonly UIMessageChunk[][];
  readonly differences: readonly Violation[];
};

/**
 * Adds `finish` to responses that are complete without it. The SDK's clients end a response with its stream, so nothing is lost;
 * they need no `start` either, which the rule about message ids covers.
 *
 * @param rule about the shape of responses, under which this is reported
 * @source T1, T4
 */
export function completedFrames(sent: readonly UIMessageChunk[][], rule: TimingRule): CompletedFrames {
  const differences: Violation[] = [];
  const responses = sent.map((chunks, response) => {
    if (chunks.some(({ type }) => type === 'finish' || type === 'error' || type === 'abort')) return chunks;
    const begins = chunks.some(({ type }) => type === 'start');
    const message = begins ? 'there is no finish' : 'there is no start and no finish';
    differences.push({ rule, response, message, chunks: chunks.slice(-1) });
    return [...chunks, { type: 'finish' as const }];
  });
  return { responses, differences };
}
