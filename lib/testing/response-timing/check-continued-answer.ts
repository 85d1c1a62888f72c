import type { UIMessageChunk } from 'ai';
import { blame, type TimedResponse, type TimedTurn } from './timed-turn.ts';
import type { TimingRule } from './violation.ts';

/**
 * Checks the approval response at the start of a response: it must be for the answer that the response continues,
 * which answers the question of the previous response. A client tool's approval is not repeated when its output was
 * sent.
 *
 * @returns the rest of the response's body
 * @source T2, T3
 */
export function checkContinuedAnswer(
  turn: TimedTurn,
  response: TimedResponse,
  rule: TimingRule,
): readonly UIMessageChunk[] {
  const first = response.body.findIndex((chunk) => chunk.type !== 'tool-approval-response');
  const end = first === -1 ? response.body.length : first;
  const previous = turn.responses[response.index - 1]?.question;
  let isRepeated = false;
  for (const chunk of response.body.slice(0, end)) {
    if (chunk.type !== 'tool-approval-response') continue;
    if (previous === undefined || chunk.approvalId !== previous.approvalId || isRepeated) {
      blame(
        turn,
        response,
        rule,
        `approval response ${chunk.approvalId} is not for the answer that this response continues`,
        chunk,
      );
    } else if (chunk.approved && turn.clientTools.has(turn.toolNames.get(previous.toolCallId) ?? '')) {
      blame(turn, response, rule, 'the approval of a client tool is repeated after its output', chunk);
    }
    isRepeated = true;
  }
  return response.body.slice(end);
}
