import {
  blame,
  callOrder,
  isClientCall,
  outcomesOf,
  questionsBefore,
  type TimedResponse,
  type TimedTurn,
} from './timed-turn.ts';

/**
 * The outcomes of a final response: exactly one for each requested call, in call order. The order is that of the
 * lifecycle chunks if they report all calls, otherwise that of the questions.
 *
 * @source T3, T8
 */
export function checkOutcomeList(turn: TimedTurn, response: TimedResponse): void {
  const outcomes = outcomesOf(response);
  const ids = outcomes.map((outcome) => outcome.toolCallId);
  for (const [index, outcome] of outcomes.entries()) {
    if (ids.indexOf(outcome.toolCallId) !== index) {
      blame(turn, response, 'T3', `call ${outcome.toolCallId} has two outcomes`, outcome);
    }
  }

  const questions = questionsBefore(turn, response);
  for (const question of questions) {
    if (ids.includes(question.toolCallId) || isClientCall(turn, question.toolCallId)) continue;
    blame(turn, response, 'T3', `call ${question.toolCallId} was requested, but has no outcome`, question);
  }

  for (const order of [callOrder(turn), questions.map((question) => question.toolCallId)]) {
    const places = outcomes
      .map((outcome) => order.indexOf(outcome.toolCallId))
      .filter((place) => place !== -1);
    if (places.some((place, index) => place < (places[index - 1] ?? -1))) {
      blame(turn, response, 'T3', `outcomes are not in call order (${order.join(', ')})`, ...outcomes);
      return;
    }
  }
}
