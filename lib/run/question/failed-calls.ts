import { problemOf } from '../../log/turn/call-end.ts';
import { calls, type Turn } from '../../log/turn/turn.ts';
import type { EarlierCall } from '../../protocol/index.ts';

/** A model may retry repeatedly. The last failures are enough for a person. */
const mostShown = 5;

/** In characters. The whole error follows with the result of its call. */
const longestError = 500;

/** The failed calls of this turn, oldest first: while it may ask, their results are withheld (T2). @source S4 */
export function failedCalls(turn: Turn): EarlierCall[] {
  const failed = calls(turn).flatMap(({ requested, end, kept, replacedBy }): EarlierCall[] => {
    if (end?.type !== 'tool-failed' || kept || replacedBy) return [];
    const { toolCallId, toolName, title } = requested;
    const problem = problemOf(end);
    return [
      {
        toolCallId,
        toolName,
        title,
        outcome: end.outcome ?? 'failed',
        error: problem.length > longestError ? `${problem.slice(0, longestError).toWellFormed()}…` : problem,
      },
    ];
  });
  return failed.slice(-mostShown);
}
