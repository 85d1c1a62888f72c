import type { UIMessageChunk } from 'ai';
import { type ChunkOf, isQuestion, lifecycleOf } from './chunk-kinds.ts';
import { blame, outcomesOf, type TimedTurn } from './timed-turn.ts';

/**
 * The rules about answers in both release modes: a call runs only after its approval (T7); a denied call never runs
 * and ends as denied, an approved one does not (T8).
 *
 * @source T7, T8
 */
export function checkAnswers(turn: TimedTurn): void {
  for (const asking of turn.responses) {
    for (const request of asking.body.filter(isApprovalRequest)) {
      const { toolCallId, approvalId } = request;
      const approved = turn.answers.get(approvalId);
      for (const response of turn.responses) {
        const runs = response.chunks.filter((chunk) => {
          const change = lifecycleOf(chunk);
          return change?.toolCallId === toolCallId && change.phase === 'started';
        });
        if (runs.length > 0 && isQuestion(request) && response.index <= asking.index) {
          blame(turn, response, 'T7', `call ${toolCallId} runs before its question is answered`, ...runs);
        } else if (runs.length > 0 && approved === false) {
          blame(turn, response, 'T8', `call ${toolCallId} was denied, but runs`, ...runs);
        }
        for (const outcome of outcomesOf(response)) {
          if (outcome.toolCallId !== toolCallId || approved === undefined) continue;
          if (approved === (outcome.type === 'tool-output-denied')) {
            const answer = approved ? 'approved' : 'denied';
            blame(
              turn,
              response,
              'T8',
              `call ${toolCallId} was ${answer}, but ends as ${outcome.type}`,
              outcome,
            );
          }
        }
      }
    }
  }
}

function isApprovalRequest(chunk: UIMessageChunk): chunk is ChunkOf<'tool-approval-request'> {
  return chunk.type === 'tool-approval-request';
}
