import type { UIMessageChunk } from 'ai';
import { checkAnswers } from './response-timing/check-answers.ts';
import { checkClientRecord } from './response-timing/check-client-record.ts';
import { checkFinalResponse } from './response-timing/check-final-response.ts';
import { checkFrame, isEmpty } from './response-timing/check-frame.ts';
import { checkProgressiveTurn } from './response-timing/check-progressive-turn.ts';
import { checkQuestionResponse } from './response-timing/check-question-response.ts';
import { blame, type TimedResponse, timedTurn } from './response-timing/timed-turn.ts';
import type { TimingOptions, TimingRule, Violation } from './response-timing/violation.ts';

/**
 * Judges the responses of one turn by the response timing rules, as far as they can be seen from what was sent.
 *
 * @param responses each response's chunks, oldest first: what the turn's own requests got, not replays of it
 * @returns every violation, by response and rule; an empty list when the turn is sound
 * @source contract T1-T8, T11-T13, T15, T16
 */
export function checkResponseTiming(
  responses: readonly UIMessageChunk[][],
  options: TimingOptions = {},
): Violation[] {
  const turn = timedTurn(responses, options);
  const isProgressive = options.release === 'progressive';

  for (const response of turn.responses) {
    checkFrame(turn, response, isProgressive ? 'T11' : shapeRule(response));
    if (isProgressive) continue;
    checkSingleStep(response, () => blame(turn, response, shapeRule(response), 'not exactly one step'));
    // What is missing in an empty response is T15's to tell, not once more call by call.
    if (isEmpty(response) && !response.brokenOff) continue;
    if (response.kind === 'final') checkFinalResponse(turn, response);
    else checkQuestionResponse(turn, response);
  }
  if (isProgressive) checkProgressiveTurn(turn);
  checkAnswers(turn);
  checkClientRecord(turn, options);

  const final = turn.responses.findIndex((response) => response.kind === 'final');
  for (const response of turn.responses) {
    if (final !== -1 && response.index > final) {
      blame(turn, response, 'T3', 'the turn goes on after its final response', ...response.body);
    }
  }
  const last = turn.responses.at(-1);
  if (last && turn.finished && last.kind !== 'final') {
    blame(turn, last, isProgressive ? 'T11' : 'T3', 'the turn has no final response', ...last.body);
  }
  return turn.violations.sort((a, b) => a.response - b.response);
}

/** The rule that a response's shape follows when everything is released at the end. */
function shapeRule(response: TimedResponse): TimingRule {
  if (response.kind === 'final') return 'T3';
  return response.index === 0 ? 'T1' : 'T2';
}

function checkSingleStep(response: TimedResponse, fault: () => void): void {
  const count = (type: string) => response.chunks.filter((chunk) => chunk.type === type).length;
  if (count('start-step') > 1 || count('finish-step') > 1) fault();
}
