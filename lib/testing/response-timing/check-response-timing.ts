import type { UIMessageChunk } from 'ai';
import { checkAnswers } from './check-answers.ts';
import { checkClientRecord } from './check-client-record.ts';
import { checkFinalResponse } from './check-final-response.ts';
import { checkFrame, isEmpty } from './check-frame.ts';
import { checkProgressiveTurn } from './check-progressive-turn.ts';
import { checkQuestionResponse } from './check-question-response.ts';
import { blame, outcomesOf, type TimedResponse, type TimedTurn, timedTurn } from './timed-turn.ts';
import type { TimingOptions, TimingRule, Violation } from './violation.ts';

/**
 * Checks the responses of one turn against the response timing rules, as far as the sent chunks show them.
 *
 * @param responses each response's chunks, oldest first: the responses to the turn's own requests, without replays
 * @returns every violation, by response and rule; an empty list if there is none
 * @source T1-T8, T11-T13, T15-T17
 */
export function checkResponseTiming(
  responses: readonly UIMessageChunk[][],
  options: TimingOptions = {},
): Violation[] {
  const turn = timedTurn(responses, options);
  const live = liveResponses(turn, options.release);

  for (const response of turn.responses) {
    const isLive = live.includes(response);
    checkFrame(turn, response, isLive ? 'T11' : shapeRule(response));
    if (isLive) continue;
    checkSingleStep(response, () => blame(turn, response, shapeRule(response), 'not exactly one step'));
    // An empty response is reported once, as T15, not again for each call.
    if (isEmpty(response) && !response.brokenOff) continue;
    if (response.kind === 'final') checkFinalResponse(turn, response);
    else checkQuestionResponse(turn, response);
    checkSentOnce(turn, response, live);
  }
  checkProgressiveTurn({ ...turn, responses: live });
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
    blame(turn, last, live.includes(last) ? 'T11' : 'T3', 'the turn has no final response', ...last.body);
  }
  return turn.violations.sort((a, b) => a.response - b.response);
}

/** The responses whose text and outcomes are sent as they happen. @source T11, T17 */
function liveResponses(
  { responses }: TimedTurn,
  release: TimingOptions['release'],
): readonly TimedResponse[] {
  if (release === 'progressive') return responses;
  if (release !== 'hold-after-question') return [];
  const asking = responses.findIndex(({ question }) => question !== undefined);
  return asking === -1 ? responses : responses.slice(0, asking + 1);
}

/** What was sent live is not among the outcomes that were withheld. @source T17 */
function checkSentOnce(turn: TimedTurn, response: TimedResponse, live: readonly TimedResponse[]): void {
  const sent = new Set(live.flatMap(outcomesOf).map(({ toolCallId }) => toolCallId));
  for (const outcome of outcomesOf(response)) {
    if (!sent.has(outcome.toolCallId)) continue;
    blame(turn, response, 'T3', `the outcome of call ${outcome.toolCallId} was sent before`, outcome);
  }
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
