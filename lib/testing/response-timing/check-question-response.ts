import type { UIMessageChunk } from 'ai';
import { checkContinuedAnswer } from './check-continued-answer.ts';
import { callIdOf, isOutcome, isProse } from './chunk-kinds.ts';
import { blame, shownBefore, type TimedResponse, type TimedTurn } from './timed-turn.ts';

/**
 * A response that asks one question, or hands one call to the client, and contains nothing else.
 *
 * @source T1, T2, T13
 */
export function checkQuestionResponse(turn: TimedTurn, response: TimedResponse): void {
  const rule = response.index === 0 ? 'T1' : 'T2';
  const rest = checkContinuedAnswer(turn, response, rule);
  const last = rest.at(-1);
  const asked = response.question?.toolCallId ?? (last && callIdOf(last));

  for (const chunk of rest) {
    const fault = faultOf(chunk, asked);
    if (fault) blame(turn, response, rule, fault, chunk);
  }

  const own = rest.filter((chunk) => callIdOf(chunk) === asked && !isOutcome(chunk));
  const shape = own.map((chunk) => chunk.type).filter((type) => type !== 'tool-input-delta');
  const expected = ['tool-input-start', 'tool-input-available'];
  if (response.kind === 'question') expected.push('tool-approval-request');
  if (shape.join() !== expected.join()) {
    blame(
      turn,
      response,
      rule,
      `the call is shown as ${shape.join(', ')}; expected ${expected.join(', ')}`,
      ...own,
    );
  }
  if (asked !== undefined && shownBefore(turn, response).has(asked)) {
    blame(turn, response, rule, `call ${asked} was shown before`, ...own);
  }
}

function faultOf(chunk: UIMessageChunk, asked: string | undefined): string | undefined {
  if (isProse(chunk)) return `${chunk.type} is not withheld until the last answer`;
  if (isOutcome(chunk) || chunk.type === 'tool-output-available') {
    return `the outcome of call ${chunk.toolCallId} is not withheld until the last answer`;
  }
  if (chunk.type === 'tool-approval-response') return 'an approval response comes after the start';
  const id = callIdOf(chunk);
  if (id === undefined) return `${chunk.type} is not allowed in a response with a question`;
  if (id === asked) return undefined;
  return chunk.type === 'tool-approval-request'
    ? `a second question, about call ${id}, is asked at the same time`
    : `call ${id} is shown in a response with a question about another call`;
}
