import type { UIMessageChunk } from 'ai';
import { checkAnswers } from './check-answers.ts';
import { checkClientRecord } from './check-client-record.ts';
import { checkFinalResponse } from './check-final-response.ts';
import { checkFrame, isEmpty } from './check-frame.ts';
import { checkProgressiveTurn } from './check-progressive-turn.ts';
import { checkQuestionResponse } from './check-question-response.ts';
import { blame, type TimedResponse, timedTurn } from './timed-turn.ts';
import type { TimingOptions, TimingRule, Violation } from './violation.ts';

/**
 * Checks the responses of one turn against the response timing rules, as far as the sent chunks show them.
 *
 * @param responses each response's chunks, oldest first: the responses to the turn's own requests, without replays
 * @returns every violation, by response and rule; an empty list if there is none
 * @source T1-T8, T11-T13, T15, T16
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
    // An empty response is reported once, as T15, not again for each call.
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
      blame(turn, response, 'T3', 'the turn continues after its final response', ...response.body);
    }
  }
  const last = turn.responses.at(-1);
  if (last && turn.finished && last.kind !== 'final') {
    blame(turn, last, isProgressive ? 'T11' : 'T3', 'the turn has no final response', ...last.body);
  }
  return turn.violations.sort((a, b) => a.response - b.response);
}

/** The rule for the shape of a response when everything is released at the end. */
function shapeRule(response: TimedResponse): TimingRule {
  if (response.kind === 'final') return 'T3';
  return response.index === 0 ? 'T1' : 'T2';
}

function checkSingleStep(response: TimedResponse, fault: () => void): void {
  const count = (type: string) => response.chunks.filter((chunk) => chunk.type === type).length;
  if (count('start-step') > 1 || count('finish-step') > 1) fault();
}
